// Records commands, submits them, and waits for them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "hosting/device.h"

namespace hosting {

UniqueCommandPool createCommandPool(const Device& device, uint32_t queueFamily);
UniqueFence createFence(const Device& device);

VkCommandBuffer allocateCommands(const Device& device, VkCommandPool pool);
void beginCommands(VkCommandBuffer commands, VkCommandBufferUsageFlags flags);

// A submission waits for this value of a timeline semaphore, or signals it. A binary semaphore ignores the value, and a
// signal ignores the stages.
struct SemaphorePoint {
  VkSemaphore semaphore;
  uint64_t value = 0;
  VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
};

// Submits one command buffer. fence may be VK_NULL_HANDLE.
void submit(VkQueue queue, VkCommandBuffer commands, VkFence fence, std::span<const SemaphorePoint> waits = {},
            std::span<const SemaphorePoint> signals = {});

// Blocks until the fence is signalled, then resets it.
void waitAndReset(const Device& device, VkFence fence, uint64_t timeoutNanoseconds = UINT64_MAX);

// Records commands, submits them, and blocks until the queue is idle. Use it while loading, not in frames.
void submitAndWait(const Device& device, VkQueue queue, uint32_t queueFamily,
                   const std::function<void(VkCommandBuffer)>& record);

void memoryBarrier(VkCommandBuffer commands, VkPipelineStageFlags sourceStages, VkAccessFlags sourceAccess,
                   VkPipelineStageFlags destinationStages, VkAccessFlags destinationAccess);

}  // namespace hosting
