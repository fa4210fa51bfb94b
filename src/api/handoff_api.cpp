// The C ABI of sluice_vulkan_cuda.h. It is part of every build with Vulkan. Without a CUDA route it says why there is
// none.
#include <algorithm>
#include <array>

#include "api/handoff_route.h"
#include "api/objects.h"
#include "base/structs.h"
#include "routes/vulkan_handoff.h"

namespace slu {
namespace {

VulkanHandoff& handoffOf(const ContextState& state) {
  VulkanHandoff* const handoff = handoffRoute(state).vulkanHandoff();
  if (handoff == nullptr) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE, "context: was created without an SluVulkanDeviceInfo");
  }
  return *handoff;
}

VkBuffer sharedBuffer(const SluBuffer_T& buffer) {
  const RouteBuffer* attached = buffer.attachments[SLU_ROUTE_CUDA].get();
  return attached == nullptr ? VK_NULL_HANDLE : reinterpret_cast<VkBuffer>(attached->vulkanBuffer());
}

void checkTransfer(const SluTransferInfo& transfer, const ContextState& state, std::uint32_t queueFamilyCount) {
  checkChain(transfer.pNext, {}, "transfer");
  require(transfer.bufferCount == 0 || transfer.buffers != nullptr, "transfer.buffers: is null");
  for (std::uint32_t i = 0; i < transfer.bufferCount; ++i) {
    const SluBuffer buffer = transfer.buffers[i];
    require(buffer != nullptr, "transfer.buffers[", i, "]: is null");
    require(buffer->state.get() == &state, "transfer.buffers[", i, "]: belongs to another context");
    require(sharedBuffer(*buffer) != VK_NULL_HANDLE, "transfer.buffers[", i,
            "]: is no VkBuffer in memory that CUDA shares");
  }
  require(transfer.queueFamilyIndex < queueFamilyCount || transfer.queueFamilyIndex == VK_QUEUE_FAMILY_IGNORED,
          "transfer.queueFamilyIndex: is ", transfer.queueFamilyIndex, ", the device has ", queueFamilyCount,
          " queue families");
  require(transfer.stages != 0, "transfer.stages: is 0");
}

// One of the two directions.
struct Direction {
  const char* label;
  void (VulkanHandoff::*record)(VkCommandBuffer, std::span<const VkBuffer>, const SluTransferInfo&) const;
};

// It records some buffers at a time, so that it allocates nothing.
void recordTransfer(const VulkanHandoff& handoff, VkCommandBuffer commands, const SluTransferInfo& transfer,
                    const Direction& direction) {
  const DebugLabel label(handoff.device(), commands, direction.label);
  std::array<VkBuffer, 16> handles;
  std::span<const SluBuffer> buffers(transfer.buffers, transfer.bufferCount);
  while (!buffers.empty()) {
    const std::span<const SluBuffer> some = buffers.first(std::min(buffers.size(), handles.size()));
    std::transform(some.begin(), some.end(), handles.begin(), [](SluBuffer buffer) { return sharedBuffer(*buffer); });
    (handoff.*direction.record)(commands, std::span(handles).first(some.size()), transfer);
    buffers = buffers.subspan(some.size());
  }
}

SluResult transferBuffers(SluContext context, VkCommandBuffer commands, const SluTransferInfo* info,
                          const Direction& direction) noexcept {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*context->state, [&] {
    const VulkanHandoff& handoff = handoffOf(*context->state);
    require(commands != VK_NULL_HANDLE, "commandBuffer: is null");
    const auto transfer = readStruct(info, SLU_STRUCTURE_TYPE_TRANSFER_INFO, sizeof(*info), "transfer");
    checkTransfer(transfer, *context->state, handoff.queueFamilyCount());
    if (transfer.bufferCount != 0) recordTransfer(handoff, commands, transfer, direction);
  });
}

}  // namespace
}  // namespace slu

using namespace slu;

SluResult sluGetVulkanTimelines(SluContext context, SluVulkanTimelines* timelines) {
  if (context == nullptr) return SLU_ERROR_INVALID_ARGUMENT;
  return guard(*context->state, [&] {
    checkOutput(timelines, SLU_STRUCTURE_TYPE_VULKAN_TIMELINES, sizeof(*timelines), "timelines");
    writeStruct(timelines, handoffOf(*context->state).timelines());
  });
}

SluResult sluCmdRelease(SluContext context, VkCommandBuffer commandBuffer, const SluTransferInfo* transfer) {
  return transferBuffers(context, commandBuffer, transfer, {"sluice release to CUDA", &VulkanHandoff::recordRelease});
}

SluResult sluCmdAcquire(SluContext context, VkCommandBuffer commandBuffer, const SluTransferInfo* transfer) {
  return transferBuffers(context, commandBuffer, transfer, {"sluice acquire from CUDA", &VulkanHandoff::recordAcquire});
}
