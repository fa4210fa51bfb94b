#include "interop/external_memory.h"

#include <utility>

#include "base/error.h"

namespace slu {

CUDA_EXTERNAL_MEMORY_HANDLE_DESC importDescriptor(const ExternalAllocation& allocation, int fd) {
  require(allocation.handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT, "external memory: handles of type ",
          static_cast<unsigned>(allocation.handleType), " are not supported");
  require(allocation.bytes != 0, "external memory: the allocation's size is 0");
  CUDA_EXTERNAL_MEMORY_HANDLE_DESC descriptor{};
  descriptor.type = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
  descriptor.handle.fd = fd;
  descriptor.size = allocation.bytes;
  descriptor.flags = allocation.isDedicated ? CUDA_EXTERNAL_MEMORY_DEDICATED : 0;
  return descriptor;
}

ImportedMemory::ImportedMemory(const CudaContext& context, UniqueFd& fd, const ExternalAllocation& allocation)
    : allocation_(allocation), memory_(context), mapping_(context) {
  const CudaScope scope(context);
  const CUDA_EXTERNAL_MEMORY_HANDLE_DESC descriptor = importDescriptor(allocation, fd.get());
  memory_.take(context.functions().cuImportExternalMemory(memory_.put(), &descriptor), "cuImportExternalMemory");
  fd.release();  // CUDA's now

  CUDA_EXTERNAL_MEMORY_BUFFER_DESC whole{};
  whole.size = allocation.bytes;
  mapping_.take(context.functions().cuExternalMemoryGetMappedBuffer(mapping_.put(), memory_.get(), &whole),
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

std::shared_ptr<const ImportedMemory> importForeign(const CudaContext& context, int fd,
                                                    const ExternalAllocation& allocation) {
  UniqueFd copy = UniqueFd::duplicateOf(fd);
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
  UniqueFd fd = external_.exportMemory(memory);
  auto imported = std::make_shared<const ImportedMemory>(context_, fd, allocation);
  imported_.emplace(memory, imported);
  return imported;
}

}  // namespace slu
