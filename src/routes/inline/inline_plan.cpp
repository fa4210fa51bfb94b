#include "routes/inline/inline_plan.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/vulkan_memory.h"
#include "routes/vulkan_host/recording.h"

namespace slu {
namespace {

constexpr VkBufferUsageFlags kKernelUsage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

// Kernels get little shared memory on a queue that also draws.
SharedMemory sharedMemoryFor(const Device& vulkan) {
  return (vulkan.queueFlags & VK_QUEUE_GRAPHICS_BIT) != 0 ? SharedMemory::scarce : SharedMemory::ample;
}

class InlinePlan final : public RoutePlan {
 public:
  InlinePlan(const Device& vulkan, InlineDevice& device, const PlanLayout& layout);

  void run(const Frame& frame, void* target) override;
  std::uint64_t tileRecords() const override { return schedule_.tileRecords(); }
  std::uint64_t scratchBytes() const override { return scratch_.size + table_.size + staging_.size + lists_.size; }

 private:
  const Device& device_;
  const PlanLayout layout_;
  CudaSchedule schedule_;
  const InlineKernels kernels_;
  DeviceBuffer scratch_;  // mapped, so that zeroing it needs no submission; each frame leaves it ready for the next
  DeviceBuffer table_;    // a BucketBlock per bucket
  DeviceBuffer staging_;  // the copy of the input of an in-place frame
  DeviceBuffer lists_;    // what frames write before they read it
};

InlinePlan::InlinePlan(const Device& vulkan, InlineDevice& device, const PlanLayout& layout)
    : device_(vulkan),
      layout_(layout),
      schedule_(layout_, sharedMemoryFor(vulkan), LaunchLimits{.sortedBytes = kPortableSharedBytes}),
      kernels_(device, layout_, schedule_),
      scratch_(vulkan, schedule_.scratchBytes(), kKernelUsage, MemoryKind::mapped, "sluice scratch"),
      table_(vulkan, schedule_.tableBytes(), kKernelUsage, MemoryKind::mapped, "sluice buckets") {
  std::memset(scratch_.mapped, 0, schedule_.scratchBytes());
  std::memcpy(table_.mapped, layout_.buckets.data(), schedule_.tableBytes());
  if (layout_.inPlace) {
    staging_ =
        DeviceBuffer(vulkan, schedule_.stagingBytes(), kKernelUsage, MemoryKind::device, "sluice in-place input");
  }
  if (const std::uint64_t bytes = schedule_.listBytes(); bytes != 0) {
    lists_ = DeviceBuffer(vulkan, bytes, kKernelUsage, MemoryKind::device, "sluice lists");
    schedule_.placeLists(lists_.address);
  }
  const KernelRow& row = rowOf(schedule_.kernel());
  const std::uint32_t room = std::max(device.multiprocessorThreads / row.threads, 1u);
  const std::uint32_t blocks = std::min(row.blocks, room);
  schedule_.place(scratch_.address, table_.address, staging_.address, blocks * device.multiprocessorCount);
}

void InlinePlan::run(const Frame& frame, void* target) {
  const auto commands = static_cast<VkCommandBuffer>(target);
  const bool isStable = layout_.order == SLU_ORDER_STABLE;
  const DebugLabel label(device_, commands, isStable ? "sluice inline, stable" : "sluice inline, unordered");
  recordBarrier(device_, commands, kCompute, layout_.inPlace ? kCompute | kTransfer : kCompute);
  if (layout_.inPlace && recordInputCopy(device_, commands, layout_, frame, staging_.buffer.get())) {
    recordBarrier(device_, commands, kTransfer, kCompute);
  }
  bool isFirst = true;
  schedule_.forEachLaunch(frame, [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
    if (!std::exchange(isFirst, false)) recordBarrier(device_, commands, kCompute, kCompute);
    kernels_.recordLaunch(commands, launch, arguments);
  });
}

}  // namespace

std::unique_ptr<RoutePlan> makeInlinePlan(const Device& vulkan, InlineDevice& device, const PlanLayout& layout) {
  return std::make_unique<InlinePlan>(vulkan, device, layout);
}

}  // namespace slu
