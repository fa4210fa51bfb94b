#include "interop/queue_transfer.h"

#include <algorithm>
#include <array>

namespace slu {
namespace {

VkBufferMemoryBarrier transferBarrier(VkBuffer buffer, std::uint32_t from, std::uint32_t to) {
  VkBufferMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER;
  barrier.srcQueueFamilyIndex = from;
  barrier.dstQueueFamilyIndex = to;
  barrier.buffer = buffer;
  barrier.size = VK_WHOLE_SIZE;
  return barrier;
}

// Nothing is allocated: as many commands as the buffers fill.
template <typename MakeBarrier>
void record(const Device& device, VkCommandBuffer commands, std::span<const VkBuffer> buffers,
            VkPipelineStageFlags from, VkPipelineStageFlags to, const MakeBarrier& makeBarrier) {
  std::array<VkBufferMemoryBarrier, 16> barriers;
  while (!buffers.empty()) {
    const std::span<const VkBuffer> some = buffers.first(std::min(buffers.size(), barriers.size()));
    std::transform(some.begin(), some.end(), barriers.begin(), makeBarrier);
    device.functions.vkCmdPipelineBarrier(commands, from, to, 0, 0, nullptr, static_cast<std::uint32_t>(some.size()),
                                          barriers.data(), 0, nullptr);
    buffers = buffers.subspan(some.size());
  }
}

}  // namespace

VkBufferMemoryBarrier releaseBarrier(VkBuffer buffer, const QueueTransfer& before) {
  VkBufferMemoryBarrier barrier = transferBarrier(buffer, before.queueFamily, VK_QUEUE_FAMILY_EXTERNAL);
  barrier.srcAccessMask = before.access;
  return barrier;
}

VkBufferMemoryBarrier acquireBarrier(VkBuffer buffer, const QueueTransfer& after) {
  VkBufferMemoryBarrier barrier = transferBarrier(buffer, VK_QUEUE_FAMILY_EXTERNAL, after.queueFamily);
  barrier.dstAccessMask = after.access;
  return barrier;
}

void recordRelease(const Device& device, VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                   const QueueTransfer& before) {
  record(device, commands, buffers, before.stages, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT,
         [&](VkBuffer buffer) { return releaseBarrier(buffer, before); });
}

void recordAcquire(const Device& device, VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                   const QueueTransfer& after) {
  record(device, commands, buffers, after.stages, after.stages,
         [&](VkBuffer buffer) { return acquireBarrier(buffer, after); });
}

}  // namespace slu
