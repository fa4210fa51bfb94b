// Vulkan memory as CUDA sees it. Memory is allocated in Vulkan and imported here, never the reverse.
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "base/cuda_owned.h"
#include "interop/external_allocation.h"
#include "interop/vulkan_external.h"

namespace slu {

// The only place where CUDA's descriptor is filled. fd: for handleType OPAQUE_FD, the only one so far, which belongs to
// CUDA once it is imported. Windows' handles will not: they stay the caller's. Of Direct3D 12, whose handles come from
// CreateSharedHandle and heaps with D3D12_HEAP_FLAG_SHARED, resources need the dedicated flag, heaps must not have it,
// and a resource's size is what GetResourceAllocationInfo says.
CUDA_EXTERNAL_MEMORY_HANDLE_DESC importDescriptor(const ExternalAllocation& allocation, int fd);

// One allocation, imported and mapped once as a whole. Buffers within it are ranges of the one mapping: two mappings
// that share a page would be two addresses of the same memory, which CUDA does not keep coherent.
class ImportedMemory {
 public:
  // Empties fd when CUDA took it, which is when the import succeeded, even if the mapping then fails.
  ImportedMemory(const CudaContext& context, UniqueFd& fd, const ExternalAllocation& allocation);

  const ExternalAllocation& allocation() const { return allocation_; }
  std::byte* pointer() const { return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(mapping_.get())); }

 private:
  ExternalAllocation allocation_;
  OwnedExternalMemory memory_;
  OwnedDeviceMemory
      mapping_;  // freed before memory_ is destroyed; the host drains both APIs and keeps the VkDeviceMemory
};

// A buffer's place in imported memory, which it keeps.
struct ImportedRange {
  // offset: where the buffer is bound. Throws when the range is not within the allocation.
  ImportedRange(std::shared_ptr<const ImportedMemory> memory, std::uint64_t offset, std::uint64_t bytes);

  std::shared_ptr<const ImportedMemory> memory;
  std::byte* pointer = nullptr;
  std::uint64_t bytes;
};

// Imports a duplicate of an fd that somebody else exported. The fd stays the caller's: to close once nothing can fail
// any more that would have to leave it open.
std::shared_ptr<const ImportedMemory> importForeign(const CudaContext& context, int fd,
                                                    const ExternalAllocation& allocation);

// The imports of one context: one per VkDeviceMemory, however many buffers of a pool lie in it.
class ImportedMemoryCache {
 public:
  ImportedMemoryCache(const VulkanExternal& external, const CudaContext& context)
      : external_(external), context_(context) {}

  // Lives as long as something uses it. The VkDeviceMemory outlives that.
  std::shared_ptr<const ImportedMemory> import(VkDeviceMemory memory, const ExternalAllocation& allocation);

 private:
  const VulkanExternal& external_;
  const CudaContext& context_;
  std::map<VkDeviceMemory, std::weak_ptr<const ImportedMemory>> imported_;
};

}  // namespace slu
