// Depth images with known depths, as a host has them after a pass.
#pragma once

#include <functional>
#include <vector>

#include "vulkan_host.h"

namespace slu::test {

#define SLU_TEST_IMAGE_FUNCTIONS(X) \
  X(vkAllocateDescriptorSets)       \
  X(vkBindImageMemory)              \
  X(vkCmdBeginRenderPass)           \
  X(vkCmdBindDescriptorSets)        \
  X(vkCmdBindPipeline)              \
  X(vkCmdCopyBufferToImage)         \
  X(vkCmdDraw)                      \
  X(vkCmdEndRenderPass)             \
  X(vkCmdPushConstants)             \
  X(vkCreateDescriptorPool)         \
  X(vkCreateDescriptorSetLayout)    \
  X(vkCreateFramebuffer)            \
  X(vkCreateGraphicsPipelines)      \
  X(vkCreateImage)                  \
  X(vkCreateImageView)              \
  X(vkCreatePipelineLayout)         \
  X(vkCreateRenderPass)             \
  X(vkCreateShaderModule)           \
  X(vkDestroyDescriptorPool)        \
  X(vkDestroyDescriptorSetLayout)   \
  X(vkDestroyFramebuffer)           \
  X(vkDestroyImage)                 \
  X(vkDestroyImageView)             \
  X(vkDestroyPipeline)              \
  X(vkDestroyPipelineLayout)        \
  X(vkDestroyRenderPass)            \
  X(vkDestroyShaderModule)          \
  X(vkGetImageMemoryRequirements)   \
  X(vkUpdateDescriptorSets)

struct ImageFunctions {
  explicit ImageFunctions(const VulkanDevice& device);
#define SLU_TEST_DECLARE_IMAGE(name) PFN_##name name = nullptr;
  SLU_TEST_IMAGE_FUNCTIONS(SLU_TEST_DECLARE_IMAGE)
#undef SLU_TEST_DECLARE_IMAGE
};

struct DepthImageInfo {
  VkFormat format = VK_FORMAT_D32_SFLOAT;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkImageViewType viewType = VK_IMAGE_VIEW_TYPE_2D;
  std::uint32_t width = 1, height = 1, layerCount = 1;
  VkImageLayout layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;  // once it is filled
};

bool hasStencil(VkFormat format);

// Whether the device has such images, which shaders can read.
bool offers(const VulkanInstance& instance, const DepthImageInfo& info);

class DepthImage {
 public:
  DepthImage(const VulkanDevice& device, const DepthImageInfo& info);
  ~DepthImage();
  DepthImage(const DepthImage&) = delete;
  DepthImage& operator=(const DepthImage&) = delete;

  // Copies texels as the format packs them, layer by layer: 16 or 32 bits each. Images of one sample.
  void copy(const std::vector<std::uint8_t>& texels);
  // Draws depths, sample by sample: those of a pixel one behind the other, pixels row by row, layer by layer. The
  // format has no stencil, and the device sampleRateShading.
  void draw(const std::vector<float>& depths);

  const DepthImageInfo info;
  VkImage handle = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;  // of the depth aspect

 private:
  VkImageView makeView(VkImageViewType type, std::uint32_t firstLayer, std::uint32_t layerCount) const;
  void transition(VkCommandBuffer commands, VkImageLayout from, VkPipelineStageFlags fromStage,
                  VkAccessFlags fromAccess, VkImageLayout to, VkPipelineStageFlags toStage,
                  VkAccessFlags toAccess) const;

  const VulkanDevice& device_;
  const ImageFunctions functions_;
  VkDeviceMemory memory_ = VK_NULL_HANDLE;
};

}  // namespace slu::test
