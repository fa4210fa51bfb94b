#include "interop/exportable_buffer.h"

namespace slu {
namespace {

// The first memory type that typeBits allows with the properties, else the first it allows.
std::uint32_t chooseMemoryType(const VkPhysicalDeviceMemoryProperties& memory, std::uint32_t typeBits,
                               VkMemoryPropertyFlags preferred) {
  std::uint32_t chosen = VK_MAX_MEMORY_TYPES;
  for (std::uint32_t type = memory.memoryTypeCount; type-- > 0;) {
    const bool isAllowed = (typeBits >> type & 1u) != 0;
    const bool isPreferred = (memory.memoryTypes[type].propertyFlags & preferred) == preferred;
    const bool hasPreferred =
        chosen != VK_MAX_MEMORY_TYPES && (memory.memoryTypes[chosen].propertyFlags & preferred) == preferred;
    if (isAllowed && (isPreferred || !hasPreferred)) chosen = type;
  }
  if (chosen == VK_MAX_MEMORY_TYPES) fail(SLU_ERROR_DRIVER, "no memory type fits an exportable buffer");
  return chosen;
}

void createBuffer(const Device& device, std::uint64_t size, VkBufferUsageFlags usage,
                  VkExternalMemoryHandleTypeFlagBits handleType, OwnedBuffer& buffer) {
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = handleType;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.pNext = &external;
  info.size = size;
  info.usage = usage;
  buffer.create(device.functions.vkCreateBuffer, info, "vkCreateBuffer");
}

void allocate(const Device& device, const ExternalAllocation& allocation, VkBuffer buffer, bool hasAddress,
              std::uint32_t memoryType, OwnedMemory& memory) {
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = hasAddress ? VkMemoryAllocateFlags{VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT} : 0;
  VkMemoryDedicatedAllocateInfo dedicated{};
  dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO;
  dedicated.pNext = &flags;
  dedicated.buffer = allocation.isDedicated ? buffer : VK_NULL_HANDLE;
  VkExportMemoryAllocateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  exported.pNext = &dedicated;
  exported.handleTypes = allocation.handleType;
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = &exported;
  info.allocationSize = allocation.bytes;
  info.memoryTypeIndex = memoryType;
  memory.create(device.functions.vkAllocateMemory, info, "vkAllocateMemory");
}

}  // namespace

ExportableBuffer::ExportableBuffer(const VulkanExternal& external, std::uint64_t bytes, VkBufferUsageFlags usage,
                                   const char* name)
    : memory(external.device()), buffer(external.device()), size(bytes) {
  const Device& device = external.device();
  external.requireExportable(usage, allocation.handleType);
  createBuffer(device, size, usage, allocation.handleType, buffer);
  device.setName(buffer.get(), VK_OBJECT_TYPE_BUFFER, name);

  VkMemoryRequirements requirements{};
  device.functions.vkGetBufferMemoryRequirements(device.handle, buffer.get(), &requirements);
  allocation.bytes = requirements.size;
  allocation.isDedicated = true;
  const bool hasAddress = (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0;
  const std::uint32_t type =
      chooseMemoryType(device.memory, requirements.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
  allocate(device, allocation, buffer.get(), hasAddress, type, memory);
  check(device.functions.vkBindBufferMemory(device.handle, buffer.get(), memory.get(), 0), "vkBindBufferMemory");
}

}  // namespace slu
