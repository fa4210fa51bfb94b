// Pipelines and their layouts.
#pragma once

#include <string>
#include <vector>

#include "vulkan/device.h"
#include "vulkan/shader.h"

namespace demo {

// Push constants of pushBytes for the given stages, and sets of one descriptor layout when that is not null.
UniquePipelineLayout createPipelineLayout(const Device& device, VkShaderStageFlags stages, uint32_t pushBytes,
                                          VkDescriptorSetLayout setLayout = VK_NULL_HANDLE);

UniquePipeline createComputePipeline(const Device& device, VkPipelineLayout layout, const Shader& code,
                                     const std::string& name);

// Over: by the source's alpha.
enum class Blend { None, Additive, Over };

struct GraphicsPipelineInfo {
  Shader vertexCode;
  Shader fragmentCode;
  VkPipelineLayout layout;
  VkRenderPass renderPass;
  VkSampleCountFlagBits samples;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t vertexStride = 0;  // 0: no vertex buffer
  std::vector<VkVertexInputAttributeDescription> attributes = {};
  bool depthTest = true;  // nearer wins; depth is reversed
  bool depthWrite = true;
  Blend blend = Blend::None;
};

// Viewport and scissor are dynamic.
UniquePipeline createGraphicsPipeline(const Device& device, const GraphicsPipelineInfo& info, const std::string& name);

// Binds a pipeline and sets its push constants, for these stages.
template <typename Push>
void bindGraphics(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout, VkShaderStageFlags stages,
                  const Push& push) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdPushConstants(commands, layout, stages, 0, sizeof(push), &push);
}

template <typename Push>
void bindCompute(VkCommandBuffer commands, VkPipeline pipeline, VkPipelineLayout layout, const Push& push) {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vkCmdPushConstants(commands, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
}

}  // namespace demo
