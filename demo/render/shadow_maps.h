// Holds the shadow maps of a sun's cascades: layers of a depth image that passes fill and fragment shaders read.
#pragma once

#include <vector>

#include "vulkan/pipelines.h"
#include "vulkan/resources.h"
#include "vulkan/texture_set.h"

namespace demo {

class ShadowMaps {
 public:
  explicit ShadowMaps(const Device& device);

  // Fills in what all pipelines that draw into a map have in common. There is no fragment shader.
  GraphicsPipelineInfo pipelineInfo(const Shader& vertexCode, VkPipelineLayout layout) const;

  // The scene draws what casts shadows between these two. The fragment shaders of later passes see the maps.
  void begin(VkCommandBuffer commands, uint32_t cascade) const;
  void end(VkCommandBuffer commands) const;

  // The maps are a sampler2DArrayShadow, which compares one texel by >=.
  const TextureSet& set() const { return set_; }

 private:
  void createPass(const Device& device);
  void createSampler(const Device& device);

  Image maps_;
  UniqueRenderPass pass_;
  std::vector<UniqueFramebuffer> framebuffers_;  // per cascade
  UniqueSampler sampler_;
  TextureSet set_;
};

}  // namespace demo
