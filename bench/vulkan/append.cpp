// The compute shader that GPU-driven renderers ship, see append.comp: counters reset by vkCmdFillBuffer, then a
// dispatch.
#include <algorithm>
#include <cstdint>

#include "append.comp.h"
#include "vulkan/compute_pipeline.h"
#include "vulkan/record_push.h"

namespace bench {
namespace {

constexpr uint32_t kGroupRecords = 256;

class AppendFrames : public PreparedVulkanCompetitor {
 public:
  AppendFrames(const VulkanDevice& device, const Workload& workload, const VulkanFrame& frame)
      : draws_(device, workload.bucketCount * sizeof(DrawCommand)),
        frustum_(device),
        pipeline_(device, append_comp, kRecordPushBytes, recordConstants(workload)),
        push_(makeRecordPush(workload, frame, frustum_)) {
    push_.draws = draws_.address();
    groupCount_ = (std::max(workload.recordCount, workload.bucketCount) - 1) / kGroupRecords + 1;
  }

  void record(VkCommandBuffer commands) override {
    vkCmdFillBuffer(commands, draws_.get(), 0, VK_WHOLE_SIZE, 0);
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier,
                         0, nullptr, 0, nullptr);
    pipeline_.record(commands, &push_, groupCount_);
  }
  void recordPoison(VkCommandBuffer commands) override { draws_.recordPoison(commands); }
  std::vector<DrawCommand> draws() const override { return readDraws(draws_); }

 private:
  const VulkanBuffer draws_;
  const FrustumBuffer frustum_;
  const ComputePipeline pipeline_;
  RecordPush push_;
  uint32_t groupCount_ = 0;
};

class Append : public VulkanCompetitor {
 public:
  std::string name() const override { return "vulkan-append"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload& workload) const override {
    if (workload.order == Order::Stable) return "its order is that of the atomic additions";
    if (const std::string why = viewRefusal(workload); !why.empty()) return why;
    if (const std::string why = boundsRefusal(workload); !why.empty()) return why;
    return placementRefusal(workload);
  }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<AppendFrames>(device, workload, frame);
  }
};

}  // namespace

std::unique_ptr<VulkanCompetitor> makeVulkanAppend() { return std::make_unique<Append>(); }

}  // namespace bench
