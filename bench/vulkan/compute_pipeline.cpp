#include "vulkan/compute_pipeline.h"

namespace bench {

ComputePipeline::ComputePipeline(const VulkanDevice& device, std::span<const uint32_t> code, uint32_t pushBytes,
                                 std::span<const uint32_t> constants)
    : pushBytes_(pushBytes) {
  VkShaderModuleCreateInfo moduleInfo{};
  moduleInfo.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  moduleInfo.codeSize = code.size_bytes();
  moduleInfo.pCode = code.data();
  UniqueShaderModule module;
  check(vkCreateShaderModule(device.get(), &moduleInfo, nullptr, module.put(device.get())), "vkCreateShaderModule");

  const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes};
  VkPipelineLayoutCreateInfo layoutInfo{};
  layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  layoutInfo.pushConstantRangeCount = 1;
  layoutInfo.pPushConstantRanges = &range;
  check(vkCreatePipelineLayout(device.get(), &layoutInfo, nullptr, layout_.put(device.get())),
        "vkCreatePipelineLayout");

  std::vector<VkSpecializationMapEntry> entries;
  for (uint32_t i = 0; i < constants.size(); ++i) entries.push_back({i, i * 4, 4});
  VkSpecializationInfo specialization{};
  specialization.mapEntryCount = static_cast<uint32_t>(entries.size());
  specialization.pMapEntries = entries.data();
  specialization.dataSize = constants.size_bytes();
  specialization.pData = constants.data();
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = layout_;
  check(vkCreateComputePipelines(device.get(), VK_NULL_HANDLE, 1, &info, nullptr, pipeline_.put(device.get())),
        "vkCreateComputePipelines");
}

void ComputePipeline::recordBind(VkCommandBuffer commands, const void* push) const {
  vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
  vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, pushBytes_, push);
}

void ComputePipeline::record(VkCommandBuffer commands, const void* push, uint32_t groupCount) const {
  constexpr uint32_t kMaxGroupsPerDimension = 65535;  // that every device has
  const uint32_t rows = (groupCount + kMaxGroupsPerDimension - 1) / kMaxGroupsPerDimension;
  recordBind(commands, push);
  vkCmdDispatch(commands, (groupCount + rows - 1) / rows, rows, 1);
}

}  // namespace bench
