// Records the path of the camera.
#pragma once

#include "options/options.h"
#include "render/camera.h"

namespace demo {

class PathRecorder {
 public:
  // frame is the first one; the file's name has its number.
  PathRecorder(const Options& options, uint32_t width, uint32_t height, uint32_t frame)
      : path_{sceneName(options.scene), options.instanceCount, width, height, {}}, frame_(frame) {}

  // Returns whether the options still have the scene and the number of instances of the path.
  bool fits(const Options& options) const {
    return path_.scene == sceneName(options.scene) && path_.instanceCount == options.instanceCount;
  }
  bool isEmpty() const { return path_.frames.empty(); }

  // culling is the frozen camera, or NULL when culling follows this one. Frames at the same time count once.
  void add(float time, const Camera& camera, const Camera* culling);

  // Creates the folder and returns the file. Throws Failure (Cause::BadInput) when that fails.
  std::filesystem::path write(const std::filesystem::path& folder) const;

 private:
  CameraPath path_;
  uint32_t frame_;
};

}  // namespace demo
