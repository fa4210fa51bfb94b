#include "interop/external_memory.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"

namespace slu {

namespace {

struct MemoryKind {
  VkExternalMemoryHandleTypeFlagBits handleType;
  CUexternalMemoryHandleType cudaType;
  const char* dedicatedRule;  // of kinds with one answer alone
  bool mustBeDedicated;
};

// What NT handles name.
constexpr MemoryKind kNtKinds[] = {
    {VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32_BIT, CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_WIN32, nullptr, false},
    {VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE_BIT, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_RESOURCE,
     "a committed resource of Direct3D 12 is a dedicated allocation", true},
    {VK_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP_BIT, CU_EXTERNAL_MEMORY_HANDLE_TYPE_D3D12_HEAP,
     "a heap of Direct3D 12 is no dedicated allocation", false}};
constexpr MemoryKind kFdKinds[] = {
    {VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD, nullptr, false}};

// All but the handle.
CUDA_EXTERNAL_MEMORY_HANDLE_DESC describe(const ExternalAllocation& allocation, std::span<const MemoryKind> kinds) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const MemoryKind& each) { return each.handleType == allocation.handleType; });
  require(kind != kinds.end(), "external memory: handles of type ", static_cast<unsigned>(allocation.handleType),
          " are not supported");
  require(allocation.bytes != 0, "external memory: the allocation's size is 0");
  require(kind->dedicatedRule == nullptr || kind->mustBeDedicated == allocation.isDedicated,
          "external memory: ", kind->dedicatedRule == nullptr ? "" : kind->dedicatedRule);
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC descriptor{};
  descriptor.type = kind->cudaType;
  descriptor.size = allocation.bytes;
  descriptor.flags = allocation.isDedicated ? CUDA_EXTERNAL_MEMORY_DEDICATED : 0;
  return descriptor;
}

}  // namespace

CUDA_EXTERNAL_MEMORY_HANDLE_DESC importDescriptor(const ExternalAllocation& allocation, int fd) {
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC descriptor = describe(allocation, kFdKinds);
  descriptor.handle.fd = fd;
  return descriptor;
}

CUDA_EXTERNAL_MEMORY_HANDLE_DESC importDescriptor(const ExternalAllocation& allocation, void* ntHandle) {
  require(ntHandle != nullptr, "external memory: the NT handle is null");
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC descriptor = describe(allocation, kNtKinds);
  descriptor.handle.win32.handle = ntHandle;
  return descriptor;
}

ImportedMemory::ImportedMemory(const CudaContext& context, UniqueHandle& handle, const ExternalAllocation& allocation)
    : ImportedMemory(context, allocation) {
  const CudaScope scope(context);
  import(importDescriptor(allocation, handle.get()));
  handle.finishImport();
  map();
}

ImportedMemory::ImportedMemory(const CudaContext& context, void* ntHandle, const ExternalAllocation& allocation)
    : ImportedMemory(context, allocation) {
  const CudaScope scope(context);
  import(importDescriptor(allocation, ntHandle));
  map();
}

void ImportedMemory::import(const CUDA_EXTERNAL_MEMORY_HANDLE_DESC& descriptor) {
  memory_.take(memory_.context().functions().cuImportExternalMemory(memory_.put(), &descriptor),
               "cuImportExternalMemory");
}

void ImportedMemory::map() {
  CUDA_EXTERNAL_MEMORY_BUFFER_DESC whole{};
  whole.size = allocation_.bytes;
  mapping_.take(memory_.context().functions().cuExternalMemoryGetMappedBuffer(mapping_.put(), memory_.get(), &whole),
                "cuExternalMemoryGetMappedBuffer");
}

ImportedRange::ImportedRange(std::shared_ptr<const ImportedMemory> of, std::uint64_t offset, std::uint64_t size)
    : memory(std::move(of)), bytes(size) {
  const std::uint64_t limit = memory->allocation().bytes;
  require(offset <= limit && bytes <= limit - offset, "external memory: a buffer of ", bytes, " bytes at offset ",
          offset, " is not within the allocation of ", limit);
  require(offset == 0 || !memory->allocation().isDedicated,
          "external memory: a dedicated allocation holds its buffer at "
          "offset 0, not at ",
          offset);
  pointer = memory->pointer() + offset;
}

std::shared_ptr<const ImportedMemory> importForeign(const CudaContext& context, SystemHandle handle,
                                                    const ExternalAllocation& allocation) {
  UniqueHandle copy = UniqueHandle::duplicateOf(handle);
  return std::make_shared<const ImportedMemory>(context, copy, allocation);
}

std::shared_ptr<const ImportedMemory> ImportedMemoryCache::import(VkDeviceMemory memory,
                                                                  const ExternalAllocation& allocation) {
  std::erase_if(imported_, [](const auto& entry) { return entry.second.expired(); });
  if (const auto found = imported_.find(memory); found != imported_.end()) {
    auto imported = found->second.lock();
    require(imported->allocation() == allocation,
            "the VkDeviceMemory is imported already, with another size or as another kind");
    return imported;
  }
  UniqueHandle handle = external_.exportMemory(memory);
  auto imported = std::make_shared<const ImportedMemory>(context_, handle, allocation);
  imported_.emplace(memory, imported);
  return imported;
}

}  // namespace slu
