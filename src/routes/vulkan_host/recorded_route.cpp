#include "routes/vulkan_host/recorded_route.h"

#include "base/structs.h"
#include "base/vulkan_memory.h"
#include "routes/vulkan_host/buffer_info.h"
#include "routes/vulkan_host/requirements.h"
#include "routes/vulkan_host/vulkan_buffer.h"

namespace slu {
namespace {

// A buffer that only the recorded routes can use.
struct PlainAllocation final : Allocation {
  DeviceBuffer memory;
  SluVulkanBufferInfo chained = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
};

// Returns whether another route may find the buffer's memory.
bool describesMemory(const void* pNext) {
  return findInChain<void>(pNext, SLU_STRUCTURE_TYPE_VULKAN_MEMORY_INFO) != nullptr ||
         findInChain<void>(pNext, SLU_STRUCTURE_TYPE_MEMORY_FD_INFO) != nullptr ||
         findInChain<void>(pNext, SLU_STRUCTURE_TYPE_CUDA_BUFFER_INFO) != nullptr;
}

}  // namespace

SluVulkanAllocateInfo readAllocateInfo(const void* pNext) {
  constexpr SluStructureType kType = SLU_STRUCTURE_TYPE_VULKAN_ALLOCATE_INFO;
  return readStruct(findInChain<SluVulkanAllocateInfo>(pNext, kType), kType, sizeof(SluVulkanAllocateInfo),
                    "vulkanAllocate");
}

VkBufferUsageFlags RecordedRoute::bufferUsage() const {
  return VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | (bindsBuffers() ? 0 : VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
}

// Another route of the context may want the address, if the device has addresses.
std::unique_ptr<Allocation> RecordedRoute::allocate(const SluBufferCreateInfo& info) {
  auto allocation = std::make_unique<PlainAllocation>();
  allocation->chained.usage = readAllocateInfo(info.pNext).usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  if (device_.hasAddresses) allocation->chained.usage |= VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  allocation->memory =
      DeviceBuffer(device_, info.size, allocation->chained.usage, MemoryKind::device, "sluice allocated buffer");
  allocation->chained.buffer = allocation->memory.buffer.get();
  allocation->info = info;
  allocation->info.pNext = &allocation->chained;
  return allocation;
}

std::unique_ptr<RouteBuffer> RecordedRoute::attachBuffer(const SluBufferCreateInfo& info) {
  const auto chained = readBufferInfo(info, &device_);
  if (!chained) return nullptr;
  const SluVulkanBufferInfo& vulkan = *chained;
  const VkBufferUsageFlags needed = bufferUsage();
  if ((vulkan.usage & needed) != needed && describesMemory(info.pNext)) return nullptr;
  require(bindsBuffers() || (vulkan.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0,
          "vulkanBuffer.usage: lacks VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT");
  require((vulkan.usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT) != 0,
          "vulkanBuffer.usage: lacks VK_BUFFER_USAGE_STORAGE_BUFFER_BIT");

  auto buffer = std::make_unique<VulkanBuffer>();
  buffer->handle = vulkan.buffer;
  buffer->usage = vulkan.usage;
  buffer->size = info.size;
  if (bindsBuffers()) return buffer;
  VkBufferDeviceAddressInfo addressInfo{};
  addressInfo.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  addressInfo.buffer = vulkan.buffer;
  buffer->address = device_.functions.vkGetBufferDeviceAddress(device_.handle, &addressInfo);
  require(
      buffer->address != 0,
      "vulkanBuffer.buffer: has no device address; before sluCreateBuffer, bind it (vkBindBufferMemory) to memory that "
      "was allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT");
  require(buffer->address % 4 == 0, "vulkanBuffer.buffer: its device address is not a multiple of 4");
  return buffer;
}

void RecordedRoute::checkUse(const RouteBuffer& buffer, Use use, const char* field) const {
  const VkBufferUsageFlags usage = static_cast<const VulkanBuffer&>(buffer).usage;
  if (use == Use::drawArguments) {
    require((usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT) != 0, field,
            ": the buffer's usage lacks VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT");
  }
  if (use == Use::copiedInput) {
    require((usage & VK_BUFFER_USAGE_TRANSFER_SRC_BIT) != 0, field,
            ": the buffer's usage lacks VK_BUFFER_USAGE_TRANSFER_SRC_BIT, which in-place plans copy with");
  }
}

}  // namespace slu
