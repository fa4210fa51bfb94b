// Camera paths that were recorded, as files and as frames. docs/guide/viewer.md has the format of the files.
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

  // Between the frames around this time; before the first and after the last these.
  PathFrame at(float time) const;
  // As many frames, evenly in time, both ends among them; a single frame lies in the middle.
  CameraPath resampled(uint32_t frameCount) const;
};

// Throws Failure (Cause::BadInput) with a sentence that names the file and the field.
CameraPath readPath(const std::filesystem::path& file);
void writePath(const std::filesystem::path& file, const CameraPath& path);

}  // namespace demo
