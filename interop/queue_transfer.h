// Queue family ownership of buffers, from a Vulkan queue family to CUDA and back.
#pragma once

#include <cstdint>
#include <span>

#include "base/vulkan_device.h"

namespace slu {

// The side of the transfer that Vulkan sees: of the last use before a release, of the first use after an acquire.
// queueFamily: the one that owns the buffers, VK_QUEUE_FAMILY_IGNORED for buffers of VK_SHARING_MODE_CONCURRENT.
struct QueueTransfer {
  std::uint32_t queueFamily = 0;
  VkPipelineStageFlags stages = 0;
  VkAccessFlags access = 0;
};

VkBufferMemoryBarrier releaseBarrier(VkBuffer buffer, const QueueTransfer& before);
VkBufferMemoryBarrier acquireBarrier(VkBuffer buffer, const QueueTransfer& after);

// Gives the buffers to VK_QUEUE_FAMILY_EXTERNAL. The submission then signals the timeline that CUDA waits for.
void recordRelease(const Device& device, VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                   const QueueTransfer& before);

// Takes them back, for those that were released before. The submission waits for CUDA's timeline with a
// pWaitDstStageMask that contains after.stages: the barrier begins at these stages, so that it comes after the wait.
void recordAcquire(const Device& device, VkCommandBuffer commands, std::span<const VkBuffer> buffers,
                   const QueueTransfer& after);

}  // namespace slu
