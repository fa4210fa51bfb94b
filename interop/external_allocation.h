// What Vulkan and CUDA must be told alike about one allocation.
#pragma once

#include <vulkan/vulkan_core.h>

#include <cstdint>

namespace slu {

// One statement of it, from which VkMemoryAllocateInfo (exportable_buffer) and CUDA's descriptor (external_memory) are
// both filled: a dedicated allocation that is imported as another kind, or the reverse, corrupts memory silently.
struct ExternalAllocation {
  std::uint64_t bytes = 0;   // VkMemoryAllocateInfo::allocationSize; often more than the buffer's size
  bool isDedicated = false;  // allocated with VkMemoryDedicatedAllocateInfo; a pool's block is not
  VkExternalMemoryHandleTypeFlagBits handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;

  bool operator==(const ExternalAllocation&) const = default;
};

}  // namespace slu
