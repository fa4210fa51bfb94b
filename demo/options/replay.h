// Chooses what each frame of a run without a window shows: a point of the recorded path, or of the scene's own.
#pragma once

#include "frame/frozen_camera.h"
#include "frame/presenter.h"
#include "options/options.h"

namespace demo {

// Returns a recorded camera with the scene's lens.
Camera cameraOf(const PathView& view, const Scene& scene);

class Replay {
 public:
  Replay(const Scene& scene, const Options& options);

  // The result is valid until the next call. frame is below the options' frameCount.
  FrameRequest request(uint32_t frame);

 private:
  const Scene& scene_;
  const Options& options_;
  std::optional<FrozenCamera> frozen_;  // empty: culling follows the camera
};

// Returns the frozen camera of a recorded frame, or nothing when it has none or the scene is not culled.
std::optional<FrozenCamera> frozenCamera(const PathFrame& frame, const Scene& scene, VkExtent2D extent);

}  // namespace demo
