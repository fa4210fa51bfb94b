// A timeline semaphore that begins at 0.
#pragma once

#include "vulkan/vulkan_device.h"

namespace bench {

class VulkanTimeline {
 public:
  explicit VulkanTimeline(const VulkanDevice& device) : device_(device) {
    VkSemaphoreTypeCreateInfo type{};
    type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
    info.pNext = &type;
    check(vkCreateSemaphore(device.get(), &info, nullptr, semaphore_.put(device.get())), "vkCreateSemaphore");
  }
  VkSemaphore get() const { return semaphore_; }

  // Blocks until it has the value, which submitted work signals.
  void wait(uint64_t value) const {
    const VkSemaphore semaphore = semaphore_;
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore;
    info.pValues = &value;
    check(vkWaitSemaphores(device_.get(), &info, kTwoMinutes), "vkWaitSemaphores");
  }

 private:
  const VulkanDevice& device_;
  UniqueSemaphore semaphore_;
};

}  // namespace bench
