// The compute shader that GPU-driven renderers ship, see append.comp: counters reset by vkCmdFillBuffer, then a dispatch.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "append.comp.h"
#include "vulkan/vulkan_competitor.h"

namespace bench {
namespace {

constexpr uint32_t kGroupRecords = 256;
constexpr uint32_t kMaxGroupsPerDimension = 65535;  // that every device has

// As append.comp has it.
struct Push {
  VkDeviceAddress records;
  VkDeviceAddress elements;
  VkDeviceAddress draws;
  uint32_t recordCount;
  uint32_t bucketCapacity;
  uint32_t vertexCount;
};
static_assert(offsetof(Push, recordCount) == 24 && offsetof(Push, vertexCount) == 32, "std430");

class AppendFrames : public PreparedVulkanCompetitor {
 public:
  AppendFrames(const VulkanDevice& device, const Workload& workload, const VulkanFrame& frame)
      : draws_(device, workload.bucketCount * sizeof(DrawCommand)) {
    createPipeline(device, workload);
    push_ = {frame.input.address(), frame.output.address(), draws_.address(),
             workload.recordCount,  frame.bucketCapacity,   kDrawVertexCount};
    const uint32_t threads = std::max(workload.recordCount, workload.bucketCount);
    const uint32_t groups = (threads - 1) / kGroupRecords + 1;
    groupsX_ = std::min(groups, kMaxGroupsPerDimension);
    groupsY_ = (groups - 1) / groupsX_ + 1;
  }

  void record(VkCommandBuffer commands) override {
    vkCmdFillBuffer(commands, draws_.get(), 0, VK_WHOLE_SIZE, 0);
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier,
                         0, nullptr, 0, nullptr);
    vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_);
    vkCmdPushConstants(commands, layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push_), &push_);
    vkCmdDispatch(commands, groupsX_, groupsY_, 1);
  }
  void recordPoison(VkCommandBuffer commands) override { draws_.recordPoison(commands); }
  std::vector<DrawCommand> draws() const override { return readDraws(draws_); }

 private:
  void createPipeline(const VulkanDevice& device, const Workload& workload) {
    VkShaderModuleCreateInfo moduleInfo{};
    moduleInfo.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    moduleInfo.codeSize = sizeof(append_comp);
    moduleInfo.pCode = append_comp;
    VulkanShaderModule module;
    check(vkCreateShaderModule(device.get(), &moduleInfo, nullptr, module.put(device.get())), "vkCreateShaderModule");

    const VkPushConstantRange range{VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(Push)};
    VkPipelineLayoutCreateInfo layoutInfo{};
    layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layoutInfo.pushConstantRangeCount = 1;
    layoutInfo.pPushConstantRanges = &range;
    check(vkCreatePipelineLayout(device.get(), &layoutInfo, nullptr, layout_.put(device.get())),
          "vkCreatePipelineLayout");

    const std::array<uint32_t, 3> constants = {workload.recordBytes / 4, workload.bucketCount,
                                               workload.outputs == Outputs::Indices ? VK_TRUE : VK_FALSE};
    std::array<VkSpecializationMapEntry, 3> entries{};
    for (uint32_t i = 0; i < entries.size(); ++i) entries[i] = {i, i * 4, 4};
    VkSpecializationInfo specialization{};
    specialization.mapEntryCount = static_cast<uint32_t>(entries.size());
    specialization.pMapEntries = entries.data();
    specialization.dataSize = sizeof(constants);
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

  const VulkanBuffer draws_;
  VulkanPipelineLayout layout_;
  VulkanPipeline pipeline_;
  Push push_{};
  uint32_t groupsX_ = 0;
  uint32_t groupsY_ = 0;
};

class Append : public VulkanCompetitor {
 public:
  std::string name() const override { return "vulkan-append"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload& workload) const override {
    return workload.order == Order::Stable ? "its order is that of the atomic additions" : "";
  }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<AppendFrames>(device, workload, frame);
  }
};

}  // namespace

std::unique_ptr<VulkanCompetitor> makeVulkanAppend() { return std::make_unique<Append>(); }

}  // namespace bench
