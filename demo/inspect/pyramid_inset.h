// Draws a level of a depth pyramid in a corner of the picture.
#pragma once

#include "frame/compaction.h"
#include "render/renderer.h"
#include "vulkan/pipelines.h"

namespace demo {

class PyramidInset {
 public:
  PyramidInset(const Device& device, const Renderer& renderer);

  // Comes late in the renderer's scene pass, and sets viewport and scissor back. nearDistance is the camera's.
  void draw(VkCommandBuffer commands, const Buffer& pyramid, uint32_t level, float nearDistance) const;

 private:
  VkExtent2D extent_;
  UniquePipelineLayout layout_;
  UniquePipeline pipeline_;
};

}  // namespace demo
