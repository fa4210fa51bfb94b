// Memory of Vulkan or Direct3D 12 as CUDA sees it. It is allocated there and imported here, never the reverse.
#pragma once

#include <cstddef>
#include <map>
#include <memory>

#include "base/cuda_owned.h"
#include "interop/external_allocation.h"
#include "interop/vulkan_external.h"

namespace slu {

// The only places where CUDA's descriptor is filled: for Vulkan's OPAQUE_FD, and for what NT handles name, which are
// Vulkan's OPAQUE_WIN32 and Direct3D's D3D12_RESOURCE and D3D12_HEAP. A committed resource is imported with the dedicated
// flag, a heap without it. Throws if the allocation has another kind, no size, or the wrong flag.
CUDA_EXTERNAL_MEMORY_HANDLE_DESC importDescriptor(const ExternalAllocation& allocation, int fd);
CUDA_EXTERNAL_MEMORY_HANDLE_DESC importDescriptor(const ExternalAllocation& allocation, void* ntHandle);

// One allocation, imported and mapped once as a whole. Buffers within it are ranges of the one mapping: two mappings
// that share a page would be two addresses of the same memory, which CUDA does not keep coherent.
class ImportedMemory {
 public:
  // Empties the handle once the import has succeeded, even if the mapping then fails.
  ImportedMemory(const CudaContext& context, UniqueHandle& handle, const ExternalAllocation& allocation);

  // Imports by an NT handle that stays the caller's, who may close it as soon as this returns or throws.
  ImportedMemory(const CudaContext& context, void* ntHandle, const ExternalAllocation& allocation);

  const ExternalAllocation& allocation() const { return allocation_; }
  std::byte* pointer() const { return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(mapping_.get())); }

 private:
  ImportedMemory(const CudaContext& context, const ExternalAllocation& allocation)
      : allocation_(allocation), memory_(context), mapping_(context) {}
  void import(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& descriptor);
  void map();

  ExternalAllocation allocation_;
  OwnedExternalMemory memory_;
  OwnedDeviceMemory mapping_;  // freed before memory_ is destroyed; the host drains both APIs and keeps its own object
};

// A buffer's place in imported memory, which it keeps.
struct ImportedRange {
  // offset: where the buffer is bound. Throws when the range is not within the allocation.
  ImportedRange(std::shared_ptr<const ImportedMemory> memory, std::uint64_t offset, std::uint64_t bytes);

  std::shared_ptr<const ImportedMemory> memory;
  std::byte* pointer = nullptr;
  std::uint64_t bytes;
};

// Imports a duplicate of a handle that somebody else exported. The handle stays the caller's: to close once nothing can
// fail any more that would have to leave it open.
std::shared_ptr<const ImportedMemory> importForeign(const CudaContext& context, SystemHandle handle,
                                                    const ExternalAllocation& allocation);

// The imports of one context: one per VkDeviceMemory, however many buffers of a pool lie in it.
class ImportedMemoryCache {
 public:
  ImportedMemoryCache(const VulkanExternal& external, const CudaContext& context)
      : external_(external), context_(context) {}

  // Lives as long as something uses it. The VkDeviceMemory outlives that. On Windows Vulkan allows one export of a
  // VkDeviceMemory, so that it is not imported again after the last use.
  std::shared_ptr<const ImportedMemory> import(VkDeviceMemory memory, const ExternalAllocation& allocation);

 private:
  const VulkanExternal& external_;
  const CudaContext& context_;
  std::map<VkDeviceMemory, std::weak_ptr<const ImportedMemory>> imported_;
};

}  // namespace slu
