// What CUDA must be told as the API that allocated was.
#pragma once

#include <cstdint>

#include "interop/system_handles.h"

namespace slu {

// One statement of it, from which VkMemoryAllocateInfo (exportable_buffer) and CUDA's descriptor (external_memory) are
// both filled: a dedicated allocation that is imported as another kind, or the reverse, corrupts memory silently.
// Direct3D 12 has the same kinds by other names: a committed resource is dedicated, a heap is not.
struct ExternalAllocation {
  std::uint64_t bytes = 0;   // VkMemoryAllocateInfo::allocationSize; often more than the buffer's size
  bool isDedicated = false;  // allocated with VkMemoryDedicatedAllocateInfo; a pool's block is not
  VkExternalMemoryHandleTypeFlagBits handleType = kMemoryHandleType;  // Vulkan has names for Direct3D's, too

  bool operator==(const ExternalAllocation&) const = default;
};

}  // namespace slu
