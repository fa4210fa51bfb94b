// The edges of a camera's frustum, drawn as lines.
#pragma once

#include "pipelines.h"
#include "renderer.h"
#include "shaders/shared.h"

namespace demo {

class FrustumLines {
 public:
  FrustumLines(const Device& device, const Renderer& renderer);

  // Inside the renderer's scene pass. frustum: the constants of the camera whose frustum it is.
  void draw(VkCommandBuffer commands, VkDeviceAddress frameConstants, const FrameConstants& frustum) const;

 private:
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
};

}  // namespace demo
