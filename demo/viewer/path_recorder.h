// Writes down where a person's camera goes.
#pragma once

#include "options/options.h"
#include "render/camera.h"

namespace demo {

class PathRecorder {
 public:
  // frame: the first; the file has its number.
  PathRecorder(const Options& options, uint32_t width, uint32_t height, uint32_t frame)
      : path_{sceneName(options.scene), options.instanceCount, width, height, {}}, frame_(frame) {}

  // Nothing of what the path belongs to has changed since.
  bool fits(const Options& options) const {
    return path_.scene == sceneName(options.scene) && path_.instanceCount == options.instanceCount;
  }
  bool isEmpty() const { return path_.frames.empty(); }

  // culling: the frozen camera; NULL when culling follows this one. Frames without time between them count once.
  void add(float time, const Camera& camera, const Camera* culling);

  // Creates the folder and returns the file. Throws Failure (Cause::BadInput) when that fails.
  std::filesystem::path write(const std::filesystem::path& folder) const;

 private:
  CameraPath path_;
  uint32_t frame_;
};

}  // namespace demo
