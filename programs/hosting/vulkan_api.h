// The Vulkan API through volk. Results become Failures, and handles destroy themselves.
#pragma once

#include <volk.h>

#include <utility>

namespace hosting {

// Returns the result in words, or NULL for a result that is not listed.
const char* resultName(VkResult result);

// Throws Failure (Cause::Runtime) with "<what> failed: <result>" unless result is VK_SUCCESS.
void check(VkResult result, const char* what);

// Owns one handle of a device. destroy is a function pointer of volk's.
template <typename Handle, auto* destroy>
class Unique {
 public:
  Unique() = default;
  Unique(VkDevice device, Handle handle) : device_(device), handle_(handle) {}
  Unique(Unique&& other) noexcept
      : device_(other.device_), handle_(std::exchange(other.handle_, Handle{VK_NULL_HANDLE})) {}
  Unique& operator=(Unique&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Unique() {
    if (handle_ != VK_NULL_HANDLE) (*destroy)(device_, handle_, nullptr);
  }
  Handle get() const { return handle_; }
  // Returns where a create function writes the handle. Call it once, on an empty Unique.
  Handle* put(VkDevice device) {
    device_ = device;
    return &handle_;
  }
  operator Handle() const { return handle_; }

 private:
  VkDevice device_ = VK_NULL_HANDLE;
  Handle handle_ = VK_NULL_HANDLE;
};

using UniqueBuffer = Unique<VkBuffer, &vkDestroyBuffer>;
using UniqueCommandPool = Unique<VkCommandPool, &vkDestroyCommandPool>;
using UniqueDescriptorPool = Unique<VkDescriptorPool, &vkDestroyDescriptorPool>;
using UniqueDescriptorSetLayout = Unique<VkDescriptorSetLayout, &vkDestroyDescriptorSetLayout>;
using UniqueFence = Unique<VkFence, &vkDestroyFence>;
using UniqueFramebuffer = Unique<VkFramebuffer, &vkDestroyFramebuffer>;
using UniqueImage = Unique<VkImage, &vkDestroyImage>;
using UniqueImageView = Unique<VkImageView, &vkDestroyImageView>;
using UniqueMemory = Unique<VkDeviceMemory, &vkFreeMemory>;
using UniquePipeline = Unique<VkPipeline, &vkDestroyPipeline>;
using UniquePipelineLayout = Unique<VkPipelineLayout, &vkDestroyPipelineLayout>;
using UniqueQueryPool = Unique<VkQueryPool, &vkDestroyQueryPool>;
using UniqueRenderPass = Unique<VkRenderPass, &vkDestroyRenderPass>;
using UniqueSampler = Unique<VkSampler, &vkDestroySampler>;
using UniqueSemaphore = Unique<VkSemaphore, &vkDestroySemaphore>;
using UniqueShaderModule = Unique<VkShaderModule, &vkDestroyShaderModule>;
using UniqueSwapchain = Unique<VkSwapchainKHR, &vkDestroySwapchainKHR>;

}  // namespace hosting
