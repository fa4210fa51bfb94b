// The frustum of a frozen camera decides what is drawn, whatever camera draws it.
#pragma once

#include "frame/scene.h"

namespace demo {

struct FrozenCamera {
  Camera camera;
  FrameConstants constants;
  std::vector<SluView> views;
};

inline FrozenCamera freeze(const Scene& scene, const Camera& camera, VkExtent2D extent, float time) {
  FrameConstants constants = frameConstants(camera, extent.width, extent.height, time);
  scene.completeConstants(constants);
  return {camera, constants, scene.views(camera, constants)};
}

}  // namespace demo
