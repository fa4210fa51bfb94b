#include "routes/vulkan_host/recording.h"

#include "routes/vulkan_host/vulkan_buffer.h"

namespace slu {

void recordBarrier(const Device& device, VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  if ((from & kCompute) != 0) barrier.srcAccessMask |= VK_ACCESS_SHADER_WRITE_BIT;
  if ((from & kTransfer) != 0) barrier.srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT;
  if ((to & kCompute) != 0) barrier.dstAccessMask |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
  if ((to & kTransfer) != 0) {
    barrier.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  }
  device.functions.vkCmdPipelineBarrier(commands, from, to, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

bool recordInputCopy(const Device& device, VkCommandBuffer commands, const PlanLayout& layout, const Frame& frame,
                     VkBuffer staging) {
  if (!frame.records || frame.recordCount == 0) return false;
  const VkBufferCopy region{frame.records.offset, 0, std::uint64_t{frame.recordCount} * layout.recordStride};
  const VkBuffer source = static_cast<const VulkanBuffer*>(frame.records.buffer)->handle;
  device.functions.vkCmdCopyBuffer(commands, source, staging, 1, &region);
  return true;
}

}  // namespace slu
