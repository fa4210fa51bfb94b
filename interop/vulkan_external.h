// What a VkDevice can hand to CUDA: queries and exported handles.
#pragma once

#include <array>

#include "base/vulkan_device.h"
#include "interop/unique_fd.h"

namespace slu {

// To enable on the device, besides the feature timelineSemaphore. The queries are core since Vulkan 1.1.
inline constexpr std::array<const char*, 2> kExternalExtensions = {VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME,
                                                                   VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME};

#define SLU_VULKAN_EXTERNAL_INSTANCE_FUNCTIONS(X) \
  X(vkGetPhysicalDeviceExternalBufferProperties)  \
  X(vkGetPhysicalDeviceExternalSemaphoreProperties)

#define SLU_VULKAN_EXTERNAL_DEVICE_FUNCTIONS(X) \
  X(vkCreateSemaphore)                          \
  X(vkDestroySemaphore)                         \
  X(vkGetBufferMemoryRequirements2)             \
  X(vkGetMemoryFdKHR)                           \
  X(vkGetSemaphoreFdKHR)

struct ExternalFunctions {
#define SLU_DECLARE_FUNCTION(name) PFN_##name name = nullptr;
  SLU_VULKAN_EXTERNAL_INSTANCE_FUNCTIONS(SLU_DECLARE_FUNCTION)
  SLU_VULKAN_EXTERNAL_DEVICE_FUNCTIONS(SLU_DECLARE_FUNCTION)
#undef SLU_DECLARE_FUNCTION
};

struct ExternalBufferSupport {
  bool isExportable = false;
  bool isDedicatedOnly = false;
};

struct BufferRequirements {
  std::uint64_t bytes = 0;       // that the buffer takes of its memory; may be more than its size
  bool isDedicatedOnly = false;  // as ExternalBufferSupport's, for the handle types that the buffer was created with
};

// Throws unless the physical device exports timeline semaphores. query may be null: the instance is too old.
void requireTimelineExport(PFN_vkGetPhysicalDeviceExternalSemaphoreProperties query, VkPhysicalDevice physicalDevice,
                           VkExternalSemaphoreHandleTypeFlagBits type);

class VulkanExternal {
 public:
  // device is the one of info, and outlives this object.
  VulkanExternal(const SluVulkanDeviceInfo& info, const Device& device);

  const Device& device() const { return device_; }
  const ExternalFunctions& functions() const { return functions_; }

  ExternalBufferSupport bufferSupport(VkBufferUsageFlags usage, VkExternalMemoryHandleTypeFlagBits type) const;
  // Throws unless buffers of the usage can be exported, be it from memory that is dedicated to them alone.
  void requireExportable(VkBufferUsageFlags usage, VkExternalMemoryHandleTypeFlagBits type) const;
  BufferRequirements bufferRequirements(VkBuffer buffer) const;

  // Throws unless timeline semaphores can be exported.
  void requireTimelineExport(VkExternalSemaphoreHandleTypeFlagBits type) const;

  // The memory or semaphore was created exportable as an opaque fd. The fd is the caller's; the object lives on by
  // itself.
  UniqueFd exportMemory(VkDeviceMemory memory) const;
  UniqueFd exportSemaphore(VkSemaphore semaphore) const;

 private:
  const Device& device_;
  VkPhysicalDevice physicalDevice_;
  ExternalFunctions functions_;
};

}  // namespace slu
