// The Vulkan API through volk: results turned into Failures, handles that destroy themselves.
#pragma once

#include <volk.h>

#include <utility>

namespace bench {

// Throws Failure (ExitCode::Runtime) that names the call, unless result is VK_SUCCESS.
void check(VkResult result, const char* call);

// Owns one handle of a device. destroy is one of volk's function pointers.
template <typename Handle, auto* destroy>
class VulkanHandle {
 public:
  VulkanHandle() = default;
  VulkanHandle(VulkanHandle&& other) noexcept
      : device_(other.device_), handle_(std::exchange(other.handle_, Handle{VK_NULL_HANDLE})) {}
  VulkanHandle& operator=(VulkanHandle&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~VulkanHandle() {
    if (handle_ != VK_NULL_HANDLE) (*destroy)(device_, handle_, nullptr);
  }

  operator Handle() const { return handle_; }
  const Handle* get() const { return &handle_; }
  Handle* put(VkDevice device) {  // for a create function, once
    device_ = device;
    return &handle_;
  }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  Handle handle_ = VK_NULL_HANDLE;
};

using VulkanBufferHandle = VulkanHandle<VkBuffer, &vkDestroyBuffer>;
using VulkanCommandPool = VulkanHandle<VkCommandPool, &vkDestroyCommandPool>;
using VulkanFence = VulkanHandle<VkFence, &vkDestroyFence>;
using VulkanMemory = VulkanHandle<VkDeviceMemory, &vkFreeMemory>;
using VulkanPipeline = VulkanHandle<VkPipeline, &vkDestroyPipeline>;
using VulkanPipelineLayout = VulkanHandle<VkPipelineLayout, &vkDestroyPipelineLayout>;
using VulkanQueryPool = VulkanHandle<VkQueryPool, &vkDestroyQueryPool>;
using VulkanSemaphore = VulkanHandle<VkSemaphore, &vkDestroySemaphore>;
using VulkanShaderModule = VulkanHandle<VkShaderModule, &vkDestroyShaderModule>;

}  // namespace bench
