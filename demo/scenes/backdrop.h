// Draws what lies behind everything: stars, and for the asteroids the planet and its ring.
#pragma once

#include "render/renderer.h"
#include "vulkan/pipelines.h"

namespace demo {

class Backdrop {
 public:
  Backdrop(const Device& device, const Renderer& renderer, bool hasPlanet);
  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants) const;

 private:
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
  bool hasPlanet_;
};

}  // namespace demo
