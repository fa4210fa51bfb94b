// What a VkDevice can hand to CUDA: queries and exported handles.
#pragma once

#include "base/vulkan_device.h"
#include "interop/system_handles.h"
#include "interop/unique_handle.h"

namespace slu {

#define SLU_VULKAN_EXTERNAL_INSTANCE_FUNCTIONS(X) \
  X(vkGetPhysicalDeviceExternalBufferProperties)  \
  X(vkGetPhysicalDeviceExternalSemaphoreProperties)

#define SLU_VULKAN_EXTERNAL_DEVICE_FUNCTIONS(X) \
  X(vkCreateSemaphore)                          \
  X(vkDestroySemaphore)                         \
  X(vkGetBufferMemoryRequirements2)

struct ExternalFunctions {
#define SLU_DECLARE_FUNCTION(name) PFN_##name name = nullptr;
  SLU_VULKAN_EXTERNAL_INSTANCE_FUNCTIONS(SLU_DECLARE_FUNCTION)
  SLU_VULKAN_EXTERNAL_DEVICE_FUNCTIONS(SLU_DECLARE_FUNCTION)
#undef SLU_DECLARE_FUNCTION
  // The two that make handles. Their types differ by system, and Windows' need windows.h.
  PFN_vkVoidFunction getMemoryHandle = nullptr;
  PFN_vkVoidFunction getSemaphoreHandle = nullptr;
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
void requireTimelineExport(PFN_vkGetPhysicalDeviceExternalSemaphoreProperties query, VkPhysicalDevice physicalDevice);

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
  void requireTimelineExport() const;

  // The memory or semaphore was created exportable as kMemoryHandleType or kSemaphoreHandleType. The handle is the
  // caller's; the object lives on by itself. On Windows Vulkan allows one export of each object.
  UniqueHandle exportMemory(VkDeviceMemory memory) const;
  UniqueHandle exportSemaphore(VkSemaphore semaphore) const;

 private:
  const Device& device_;
  VkPhysicalDevice physicalDevice_;
  ExternalFunctions functions_;
};

}  // namespace slu
