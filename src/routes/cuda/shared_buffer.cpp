#include "routes/cuda/shared_buffer.h"

#include <utility>

#include "base/structs.h"
#include "routes/cuda/import_as.h"
#include "routes/vulkan_host/buffer_info.h"

namespace slu {
namespace {

class SharedBuffer final : public RouteBuffer {
 public:
  SharedBuffer(ImportedRange range, VkBuffer handle, SystemHandle given)
      : range_(std::move(range)), handle_(handle), given_(given) {
    address = reinterpret_cast<std::uintptr_t>(range_.pointer);
  }

  std::uint64_t vulkanBuffer() const override { return reinterpret_cast<std::uint64_t>(handle_); }
  void accept() noexcept override { const UniqueHandle consumed(std::exchange(given_, kNoHandle)); }

 private:
  ImportedRange range_;
  VkBuffer handle_;     // null if the host gives none
  SystemHandle given_;  // belongs to the caller until accept(); none if the memory was not imported by a handle
};

template <typename T>
const T* find(const SluBufferCreateInfo& info, SluStructureType type) {
  return findInChain<T>(info.pNext, type);
}

// Returns no requirements if the buffer is null, or if its device is unknown because the host gave no VkDevice.
BufferRequirements requirementsOf(VkBuffer buffer, const VulkanLink* link) {
  if (buffer == VK_NULL_HANDLE || link == nullptr) return {};
  return link->bufferRequirements(buffer);
}

// Checks the fields that SluVulkanMemoryInfo and SluMemoryFdInfo have in common. name begins the error sentence. needs
// applies to the handle type that CUDA imports, since the VkBuffer must have been created with it.
template <typename Info>
ExternalAllocation checkAllocation(const Info& memory, std::uint64_t size, const BufferRequirements& needs,
                                   const char* name) {
  require(memory.dedicated <= 1, name, ".dedicated: is ", memory.dedicated, ", must be 0 or 1");
  require(memory.dedicated == 1 || !needs.isDedicatedOnly, name,
          ".dedicated: is 0, the device shares vulkanBuffer.buffer from a dedicated allocation only");
  require(memory.memoryOffset % 4 == 0, name, ".memoryOffset: is ", memory.memoryOffset, ", must be a multiple of 4");
  require(memory.memoryOffset == 0 || memory.dedicated == 0, name, ".memoryOffset: is ", memory.memoryOffset,
          ", must be 0 in a dedicated allocation");
  require(memory.memoryOffset <= memory.allocationSize && size <= memory.allocationSize - memory.memoryOffset, name,
          ".allocationSize: is ", memory.allocationSize, ", the buffer ends at ", memory.memoryOffset, " + ", size);
  require(needs.bytes <= memory.allocationSize - memory.memoryOffset, name, ".allocationSize: is ",
          memory.allocationSize, ", vulkanBuffer.buffer's memory requirements end at ", memory.memoryOffset, " + ",
          needs.bytes);
  ExternalAllocation allocation;
  allocation.bytes = memory.allocationSize;
  allocation.isDedicated = memory.dedicated != 0;
  return allocation;
}

}  // namespace

VkBuffer readHandle(const SluBufferCreateInfo& info, const VulkanLink* link) {
  const auto vulkan = readBufferInfo(info, link == nullptr ? nullptr : &link->device());
  return vulkan ? vulkan->buffer : VK_NULL_HANDLE;
}

namespace {

#ifndef _WIN32

std::unique_ptr<RouteBuffer> attachForeign(const SluBufferCreateInfo& info, const SluMemoryFdInfo& memory,
                                           const CudaContext& context, VulkanLink* link) {
  require(memory.fd >= 0, "memoryFd.fd: is ", memory.fd);
  const VkBuffer handle = readHandle(info, link);
  const ExternalAllocation allocation = checkAllocation(memory, info.size, requirementsOf(handle, link), "memoryFd");
  auto imported = importAs("memoryFd.fd", [&] { return importForeign(context, memory.fd, allocation); });
  return std::make_unique<SharedBuffer>(ImportedRange(std::move(imported), memory.memoryOffset, info.size), handle,
                                        memory.fd);
}

#else

std::unique_ptr<RouteBuffer> attachForeign(const SluBufferCreateInfo&, const SluMemoryFdInfo&, const CudaContext&,
                                           VulkanLink*) {
  fail(SLU_ERROR_INVALID_ARGUMENT, "memoryFd: Windows has no file descriptors; chain SluVulkanMemoryInfo instead");
}

#endif

}  // namespace

std::unique_ptr<RouteBuffer> attachMemoryFd(const SluBufferCreateInfo& info, const CudaContext& context,
                                            VulkanLink* link) {
  const auto* chained = find<SluMemoryFdInfo>(info, SLU_STRUCTURE_TYPE_MEMORY_FD_INFO);
  if (chained == nullptr) return nullptr;
  const auto memory = readStruct(chained, SLU_STRUCTURE_TYPE_MEMORY_FD_INFO, sizeof(*chained), "memoryFd");
  return attachForeign(info, memory, context, link);
}

std::unique_ptr<RouteBuffer> attachVulkanMemory(const SluBufferCreateInfo& info, VulkanLink& link) {
  const auto* chained = find<SluVulkanMemoryInfo>(info, SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO);
  if (chained == nullptr) return nullptr;
  const auto memory = readStruct(chained, SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO, sizeof(*chained), "vulkanMemory");
  require(memory.memory != VK_NULL_HANDLE, "vulkanMemory.memory: is null");
  const VkBuffer handle = readHandle(info, &link);
  const ExternalAllocation allocation =
      checkAllocation(memory, info.size, requirementsOf(handle, &link), "vulkanMemory");
  auto imported = importAs("vulkanMemory.memory", [&] { return link.import(memory.memory, allocation); });
  return std::make_unique<SharedBuffer>(ImportedRange(std::move(imported), memory.memoryOffset, info.size), handle,
                                        kNoHandle);
}

}  // namespace slu
