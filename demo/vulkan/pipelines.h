// Makes pipelines and their layouts, and binds them.
#pragma once

#include <string>
#include <vector>

#include "vulkan/device.h"
#include "vulkan/shader.h"

namespace demo {

// The layout has pushBytes of push constants for the given stages, and one descriptor set unless setLayout is null.
UniquePipelineLayout createPipelineLayout(const Device& device, VkShaderStageFlags stages, uint32_t pushBytes,
                                          VkDescriptorSetLayout setLayout = VK_NULL_HANDLE);

UniquePipeline createComputePipeline(const Device& device, VkPipelineLayout layout, const Shader& code,
                                     const std::string& name);

// Over blends by the source's alpha.
enum class Blend { None, Additive, Over };

struct GraphicsPipelineInfo {
  Shader vertexCode;    // or a mesh shader behind the task shader
  Shader fragmentCode;  // no words: depth alone is drawn, and the pass has no color
  VkPipelineLayout layout;
  VkRenderPass renderPass;
  VkSampleCountFlagBits samples;
  VkPrimitiveTopology topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
  uint32_t vertexStride = 0;  // 0: no vertex buffer
  std::vector<VkVertexInputAttributeDescription> attributes = {};
  bool depthTest = true;  // nearer wins; depth is reversed
  bool depthWrite = true;
  Blend blend = Blend::None;
  bool cullsBackFaces = false;  // triangles whose corners are seen counter-clockwise are front faces
  Shader taskCode = {};         // no words: vertices are drawn
  // Specialization constant 0 of the shader, if it has one.
  uint32_t vertexVariant = 0;
  uint32_t fragmentVariant = 0;
};

// Viewport and scissor are dynamic.
UniquePipeline createGraphicsPipeline(const Device& device, const GraphicsPipelineInfo& info, const std::string& name);

// Bind a pipeline and set its push constants.
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
