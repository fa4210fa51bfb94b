#include "vulkan/pipelines.h"

namespace demo {
namespace {

UniqueShaderModule createModule(const Device& device, const Shader& shader) {
  const std::span<const uint32_t> code = currentWords(shader);
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = code.size_bytes();
  info.pCode = code.data();
  VkShaderModule module = VK_NULL_HANDLE;
  check(vkCreateShaderModule(device.get(), &info, nullptr, &module), "vkCreateShaderModule");
  device.setName(VK_OBJECT_TYPE_SHADER_MODULE, module, shader.name);
  return {device.get(), module};
}

VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits kind, VkShaderModule module) {
  VkPipelineShaderStageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage = kind;
  info.module = module;
  info.pName = "main";
  return info;
}

VkPipelineDepthStencilStateCreateInfo depthState(const GraphicsPipelineInfo& wanted) {
  VkPipelineDepthStencilStateCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  info.depthTestEnable = wanted.depthTest || wanted.depthWrite;
  info.depthWriteEnable = wanted.depthWrite;
  info.depthCompareOp = wanted.depthTest ? VK_COMPARE_OP_GREATER_OR_EQUAL : VK_COMPARE_OP_ALWAYS;
  return info;
}

VkPipelineColorBlendAttachmentState blendState(Blend blend) {
  const bool over = blend == Blend::Over;
  VkPipelineColorBlendAttachmentState state = {};
  state.blendEnable = blend != Blend::None;
  state.srcColorBlendFactor = over ? VK_BLEND_FACTOR_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  state.dstColorBlendFactor = over ? VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA : VK_BLEND_FACTOR_ONE;
  state.srcAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  state.dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE;
  state.colorWriteMask =
      VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT | VK_COLOR_COMPONENT_A_BIT;
  return state;
}

}  // namespace

UniquePipelineLayout createPipelineLayout(const Device& device, VkShaderStageFlags stages, uint32_t pushBytes,
                                          VkDescriptorSetLayout setLayout) {
  const VkPushConstantRange range = {stages, 0, pushBytes};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = setLayout ? 1 : 0;
  info.pSetLayouts = &setLayout;
  info.pushConstantRangeCount = pushBytes ? 1 : 0;
  info.pPushConstantRanges = &range;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  check(vkCreatePipelineLayout(device.get(), &info, nullptr, &layout), "vkCreatePipelineLayout");
  return {device.get(), layout};
}

UniquePipeline createComputePipeline(const Device& device, VkPipelineLayout layout, const Shader& code,
                                     const std::string& name) {
  const UniqueShaderModule module = createModule(device, code);
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, module);
  info.layout = layout;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vkCreateComputePipelines(device.get(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateComputePipelines");
  device.setName(VK_OBJECT_TYPE_PIPELINE, pipeline, name);
  device.setName(VK_OBJECT_TYPE_PIPELINE_LAYOUT, layout, name);
  return {device.get(), pipeline};
}

UniquePipeline createGraphicsPipeline(const Device& device, const GraphicsPipelineInfo& wanted,
                                      const std::string& name) {
  const UniqueShaderModule vertexModule = createModule(device, wanted.vertexCode);
  const bool hasColor = !wanted.fragmentCode.words.empty();
  const UniqueShaderModule fragmentModule = hasColor ? createModule(device, wanted.fragmentCode) : UniqueShaderModule();
  const bool hasTasks = !wanted.taskCode.words.empty();
  const UniqueShaderModule taskModule = hasTasks ? createModule(device, wanted.taskCode) : UniqueShaderModule();
  VkPipelineShaderStageCreateInfo stages[] = {
      stage(hasTasks ? VK_SHADER_STAGE_MESH_BIT_EXT : VK_SHADER_STAGE_VERTEX_BIT, vertexModule),
      stage(VK_SHADER_STAGE_FRAGMENT_BIT, fragmentModule), stage(VK_SHADER_STAGE_TASK_BIT_EXT, taskModule)};
  const VkSpecializationMapEntry variantEntry = {0, 0, sizeof(uint32_t)};
  const VkSpecializationInfo variants[] = {{1, &variantEntry, sizeof(uint32_t), &wanted.vertexVariant},
                                           {1, &variantEntry, sizeof(uint32_t), &wanted.fragmentVariant}};
  stages[0].pSpecializationInfo = &variants[0];
  stages[1].pSpecializationInfo = &variants[1];

  const VkVertexInputBindingDescription binding = {0, wanted.vertexStride, VK_VERTEX_INPUT_RATE_VERTEX};
  VkPipelineVertexInputStateCreateInfo vertexInput{};
  vertexInput.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
  vertexInput.vertexBindingDescriptionCount = wanted.vertexStride ? 1 : 0;
  vertexInput.pVertexBindingDescriptions = &binding;
  vertexInput.vertexAttributeDescriptionCount = static_cast<uint32_t>(wanted.attributes.size());
  vertexInput.pVertexAttributeDescriptions = wanted.attributes.data();

  VkPipelineInputAssemblyStateCreateInfo assembly{};
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly.topology = wanted.topology;
  VkPipelineViewportStateCreateInfo viewport{};
  viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewport.viewportCount = 1;
  viewport.scissorCount = 1;
  // Model files disagree about winding, so both sides are drawn unless the scene has seen to it.
  VkPipelineRasterizationStateCreateInfo rasterization{};
  rasterization.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  rasterization.lineWidth = 1.0f;
  rasterization.cullMode = wanted.cullsBackFaces ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE;
  rasterization.frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE;
  VkPipelineMultisampleStateCreateInfo multisample{};
  multisample.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  multisample.rasterizationSamples = wanted.samples;
  const VkPipelineDepthStencilStateCreateInfo depth = depthState(wanted);
  const VkPipelineColorBlendAttachmentState blendAttachment = blendState(wanted.blend);
  VkPipelineColorBlendStateCreateInfo blend{};
  blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend.attachmentCount = hasColor ? 1 : 0;
  blend.pAttachments = &blendAttachment;
  const VkDynamicState dynamicStates[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic{};
  dynamic.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  dynamic.dynamicStateCount = 2;
  dynamic.pDynamicStates = dynamicStates;

  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.stageCount = hasTasks ? 3 : hasColor ? 2 : 1;
  info.pStages = stages;
  info.pVertexInputState = &vertexInput;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &rasterization;
  info.pMultisampleState = &multisample;
  info.pDepthStencilState = &depth;
  info.pColorBlendState = &blend;
  info.pDynamicState = &dynamic;
  info.layout = wanted.layout;
  info.renderPass = wanted.renderPass;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(vkCreateGraphicsPipelines(device.get(), VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateGraphicsPipelines");
  device.setName(VK_OBJECT_TYPE_PIPELINE, pipeline, name);
  device.setName(VK_OBJECT_TYPE_PIPELINE_LAYOUT, wanted.layout, name);
  return {device.get(), pipeline};
}

}  // namespace demo
