#include "hosting/commands.h"

#include <vector>

namespace hosting {

UniqueCommandPool createCommandPool(const Device& device, uint32_t queueFamily) {
  VkCommandPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  info.queueFamilyIndex = queueFamily;
  UniqueCommandPool pool;
  check(vkCreateCommandPool(device.get(), &info, nullptr, pool.put(device.get())), "vkCreateCommandPool");
  return pool;
}

UniqueFence createFence(const Device& device) {
  VkFenceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  UniqueFence fence;
  check(vkCreateFence(device.get(), &info, nullptr, fence.put(device.get())), "vkCreateFence");
  return fence;
}

VkCommandBuffer allocateCommands(const Device& device, VkCommandPool pool) {
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(vkAllocateCommandBuffers(device.get(), &info, &commands), "vkAllocateCommandBuffers");
  return commands;
}

void beginCommands(VkCommandBuffer commands, VkCommandBufferUsageFlags flags) {
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = flags;
  check(vkBeginCommandBuffer(commands, &info), "vkBeginCommandBuffer");
}

void submit(VkQueue queue, VkCommandBuffer commands, VkFence fence, std::span<const SemaphorePoint> waits,
            std::span<const SemaphorePoint> signals) {
  std::vector<VkSemaphore> semaphores;
  std::vector<uint64_t> values;
  std::vector<VkPipelineStageFlags> stages;
  for (const std::span<const SemaphorePoint> points : {waits, signals}) {
    for (const SemaphorePoint& point : points) {
      semaphores.push_back(point.semaphore);
      values.push_back(point.value);
      stages.push_back(point.stages);
    }
  }
  VkTimelineSemaphoreSubmitInfo timelines{};
  timelines.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  timelines.waitSemaphoreValueCount = static_cast<uint32_t>(waits.size());
  timelines.pWaitSemaphoreValues = values.data();
  timelines.signalSemaphoreValueCount = static_cast<uint32_t>(signals.size());
  timelines.pSignalSemaphoreValues = values.data() + waits.size();
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &timelines;
  info.waitSemaphoreCount = timelines.waitSemaphoreValueCount;
  info.pWaitSemaphores = semaphores.data();
  info.pWaitDstStageMask = stages.data();
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  info.signalSemaphoreCount = timelines.signalSemaphoreValueCount;
  info.pSignalSemaphores = semaphores.data() + waits.size();
  check(vkQueueSubmit(queue, 1, &info, fence), "vkQueueSubmit");
}

void waitAndReset(const Device& device, VkFence fence, uint64_t timeoutNanoseconds) {
  check(vkWaitForFences(device.get(), 1, &fence, VK_TRUE, timeoutNanoseconds), "vkWaitForFences");
  check(vkResetFences(device.get(), 1, &fence), "vkResetFences");
}

void submitAndWait(const Device& device, VkQueue queue, uint32_t queueFamily,
                   const std::function<void(VkCommandBuffer)>& record) {
  const UniqueCommandPool pool = createCommandPool(device, queueFamily);
  const VkCommandBuffer commands = allocateCommands(device, pool);
  device.setName(VK_OBJECT_TYPE_COMMAND_POOL, pool.get(), "load time");
  device.setName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "load time");
  beginCommands(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  record(commands);
  check(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
  submit(queue, commands, VK_NULL_HANDLE);
  check(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

void memoryBarrier(VkCommandBuffer commands, VkPipelineStageFlags sourceStages, VkAccessFlags sourceAccess,
                   VkPipelineStageFlags destinationStages, VkAccessFlags destinationAccess) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = sourceAccess;
  barrier.dstAccessMask = destinationAccess;
  vkCmdPipelineBarrier(commands, sourceStages, destinationStages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace hosting
