// The compute shader that GPU-driven renderers ship, see append.comp: counters reset by vkCmdFillBuffer, then a
// dispatch.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "append.comp.h"
#include "vulkan/compute_pipeline.h"
#include "vulkan/vulkan_competitor.h"
#include "workload/frustum.h"

namespace bench {
namespace {

constexpr uint32_t kGroupRecords = 256;

// The layout is that of append.comp.
struct Push {
  VkDeviceAddress records;
  VkDeviceAddress elements;
  VkDeviceAddress draws;
  VkDeviceAddress spheres;
  VkDeviceAddress frustum;
  uint32_t recordCount;
  uint32_t bucketCapacity;
  uint32_t vertexCount;
};
static_assert(offsetof(Push, recordCount) == 40 && offsetof(Push, vertexCount) == 48, "std430");

class AppendFrames : public PreparedVulkanCompetitor {
 public:
  AppendFrames(const VulkanDevice& device, const Workload& workload, const VulkanFrame& frame)
      : draws_(device, workload.bucketCount * sizeof(DrawCommand)),
        frustum_(device, sizeof(Frustum)),
        pipeline_(device, append_comp, sizeof(Push), constants(workload)) {
    std::array<uint32_t, sizeof(Frustum) / 4> planes{};
    std::memcpy(planes.data(), &kFrustum, sizeof(kFrustum));
    frustum_.upload(planes);
    const VkDeviceAddress input = frame.input.address();
    push_ = {input,
             frame.output.address(),
             draws_.address(),
             input + workload.boundsOffset(),
             frustum_.address(),
             workload.recordCount,
             frame.bucketCapacity,
             kDrawVertexCount};
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
  static std::array<uint32_t, 4> constants(const Workload& workload) {
    return {workload.recordBytes / 4, workload.bucketCount, workload.outputs == Outputs::Indices ? VK_TRUE : VK_FALSE,
            workload.predicate != Predicate::Word ? VK_TRUE : VK_FALSE};
  }

  const VulkanBuffer draws_;
  const VulkanBuffer frustum_;
  const ComputePipeline pipeline_;
  Push push_{};
  uint32_t groupCount_ = 0;
};

class Append : public VulkanCompetitor {
 public:
  std::string name() const override { return "vulkan-append"; }
  Role role() const override { return Role::Candidate; }
  std::string refusal(const Workload& workload) const override {
    if (workload.order == Order::Stable) return "its order is that of the atomic additions";
    if (const std::string why = viewRefusal(workload); !why.empty()) return why;
    return boundsRefusal(workload);
  }
  std::unique_ptr<PreparedVulkanCompetitor> prepare(const VulkanDevice& device, const Workload& workload,
                                                    const VulkanFrame& frame) const override {
    return std::make_unique<AppendFrames>(device, workload, frame);
  }
};

}  // namespace

std::unique_ptr<VulkanCompetitor> makeVulkanAppend() { return std::make_unique<Append>(); }

}  // namespace bench
