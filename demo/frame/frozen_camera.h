// A camera whose frustum decides what is drawn, whatever camera it is drawn from.
#pragma once

#include "frame/scene.h"

namespace demo {

struct FrozenCamera {
  Camera camera;
  FrameConstants constants;
  SluView view;
};

inline FrozenCamera freeze(const Scene& scene, const Camera& camera, VkExtent2D extent, float time) {
  const FrameConstants constants = frameConstants(camera, extent.width, extent.height, time);
  return {camera, constants, scene.view(camera, constants)};
}

}  // namespace demo
