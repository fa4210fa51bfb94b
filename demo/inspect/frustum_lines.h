// Draws the edges of a camera's frustum as lines.
#pragma once

#include "render/renderer.h"
#include "shaders/shared.h"
#include "vulkan/pipelines.h"

namespace demo {

constexpr float kFrustumReach = 430.0f;

struct LineStyle {
  glm::vec3 light = {1.6f, 0.75f, 0.12f};
  float reach = kFrustumReach;  // how far ahead of the eye the lines end
};

class FrustumLines {
 public:
  FrustumLines(const Device& device, const Renderer& renderer);

  // Draws inside the renderer's scene pass. frustum has the constants of the camera whose frustum is drawn.
  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const FrameConstants& frustum,
            const LineStyle& style = {}) const;

 private:
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
};

}  // namespace demo
