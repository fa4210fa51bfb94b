// The frustum of a frozen camera decides what is drawn, whatever camera draws it.
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
