// What the frames of a run without a window show: the recorded path of the options, or the scene's own.
#pragma once

#include "frame/frozen_camera.h"
#include "frame/presenter.h"
#include "options/options.h"

namespace demo {

// A recorded camera with the scene's lens.
Camera cameraOf(const PathView& view, const Scene& scene);

class Replay {
 public:
  Replay(const Scene& scene, const Options& options);

  // Valid until the next call. frame: below the options' frameCount.
  FrameRequest request(uint32_t frame);

 private:
  const Scene& scene_;
  const Options& options_;
  std::optional<FrozenCamera> frozen_;  // empty: culling follows the camera
};

// Of a recorded frame, where the scene is culled at all.
std::optional<FrozenCamera> frozenCamera(const PathFrame& frame, const Scene& scene, VkExtent2D extent);

}  // namespace demo
