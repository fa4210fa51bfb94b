// Reads and writes recorded camera paths. docs/guide/viewer.md has the format of the files.
#pragma once

#include <filesystem>
#include <glm/vec3.hpp>
#include <optional>
#include <string>
#include <vector>

namespace demo {

struct PathView {
  glm::vec3 eye;
  glm::vec3 direction;  // of any length but 0, and not straight up or down
};

struct PathFrame {
  float time;  // of the simulation, seconds
  PathView camera;
  std::optional<PathView> culling;  // the frozen camera whose frustum decides what is drawn
};

struct CameraPath {
  std::string scene;
  uint32_t instanceCount;
  uint32_t width, height;
  std::vector<PathFrame> frames;  // at least one; each later than the one before

  // Interpolates between the frames around this time. Times outside the path give its first or last frame.
  PathFrame at(float time) const;
  // Returns frameCount frames, evenly spaced in time, with both ends. A single frame lies in the middle.
  CameraPath resampled(uint32_t frameCount) const;
};

// Throws Failure (Cause::BadInput) with a sentence that names the file and the field.
CameraPath readPath(const std::filesystem::path& file);
void writePath(const std::filesystem::path& file, const CameraPath& path);

}  // namespace demo
