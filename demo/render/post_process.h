// Turns the scene in linear light into the 8-bit picture: bloom over a pyramid of half sizes, tone mapping, dithering.
#pragma once

#include "vulkan/pipelines.h"
#include "vulkan/resources.h"

namespace demo {

class PostProcess {
 public:
  // scene is sampled in SHADER_READ_ONLY_OPTIMAL, and visible to compute shaders when record's commands run.
  PostProcess(const Device& device, VkExtent2D extent, VkImageView scene);

  void record(VkCommandBuffer commands) const;

  // The image is RGBA8 in VK_IMAGE_LAYOUT_GENERAL. Compute shaders wrote it.
  VkImage image() const { return picture_.get(); }
  VkImageView view() const { return picture_.view(); }
  uint64_t bytes() const { return bloom_.bytes() + picture_.bytes(); }

 private:
  // One dispatch reads two images and writes the third.
  struct Pass {
    VkPipeline pipeline;
    VkDescriptorSet set;
    VkExtent2D extent;
  };

  void createDescriptors(const Device& device, uint32_t setCount);
  VkDescriptorSet createSet(const Device& device, VkImageView first, VkImageLayout firstLayout, VkImageView second,
                            VkImageView target);

  Image bloom_;
  Image picture_;
  UniqueSampler sampler_;
  UniqueDescriptorSetLayout setLayout_;
  UniqueDescriptorPool pool_;
  UniquePipelineLayout layout_;
  UniquePipeline down_;
  UniquePipeline up_;
  UniquePipeline tonemap_;
  std::vector<Pass> passes_;
};

}  // namespace demo
