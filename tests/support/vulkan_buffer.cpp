#include <stdexcept>

#include "vulkan_host.h"

namespace slu::test {
namespace {

std::uint32_t findMemoryType(const VulkanDevice& device, std::uint32_t typeBits, VkMemoryPropertyFlags properties) {
  for (std::uint32_t i = 0; i < device.memory.memoryTypeCount; ++i) {
    if ((typeBits >> i & 1) != 0 && (device.memory.memoryTypes[i].propertyFlags & properties) == properties) return i;
  }
  return VK_MAX_MEMORY_TYPES;
}

}  // namespace

VkBufferUsageFlags allUsages(const VulkanInstance& instance) {
  return requirementsOf(instance).bufferUsage | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
         VK_BUFFER_USAGE_TRANSFER_DST_BIT;
}

VulkanBuffer::VulkanBuffer(const VulkanDevice& device, std::uint64_t bytes, VkBufferUsageFlags usages, Kind kind,
                           const std::vector<std::uint32_t>& families)
    : size(bytes), usage(usages), device_(device) {
  const DeviceTable& functions = device.functions;
  VkBufferCreateInfo bufferInfo{};
  bufferInfo.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  bufferInfo.size = size;
  bufferInfo.usage = usage;
  if (!families.empty()) {
    bufferInfo.sharingMode = VK_SHARING_MODE_CONCURRENT;
    bufferInfo.queueFamilyIndexCount = static_cast<std::uint32_t>(families.size());
    bufferInfo.pQueueFamilyIndices = families.data();
  }
  check(functions.vkCreateBuffer(device.handle, &bufferInfo, nullptr, &handle), "vkCreateBuffer");
  try {
    VkMemoryRequirements needs{};
    functions.vkGetBufferMemoryRequirements(device.handle, handle, &needs);
    constexpr VkMemoryPropertyFlags kMapped =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    constexpr VkMemoryPropertyFlags kDevice = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const VkMemoryPropertyFlags required = kind == Kind::mapped ? kMapped : kDevice;
    const VkMemoryPropertyFlags preferred =
        kind == Kind::mapped ? VkMemoryPropertyFlags{VK_MEMORY_PROPERTY_HOST_CACHED_BIT} : 0;
    std::uint32_t type = findMemoryType(device, needs.memoryTypeBits, required | preferred);
    if (type == VK_MAX_MEMORY_TYPES) type = findMemoryType(device, needs.memoryTypeBits, required);
    if (type == VK_MAX_MEMORY_TYPES) throw std::runtime_error("no memory type fits a test's buffer");

    VkMemoryAllocateFlagsInfo flags{};
    flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
    flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
    VkMemoryAllocateInfo allocateInfo{};
    allocateInfo.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    if ((usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0) allocateInfo.pNext = &flags;
    allocateInfo.allocationSize = needs.size;
    allocateInfo.memoryTypeIndex = type;
    check(functions.vkAllocateMemory(device.handle, &allocateInfo, nullptr, &memory_), "vkAllocateMemory");
    check(functions.vkBindBufferMemory(device.handle, handle, memory_, 0), "vkBindBufferMemory");
    if (kind == Kind::mapped) {
      void* pointer = nullptr;
      check(functions.vkMapMemory(device.handle, memory_, 0, VK_WHOLE_SIZE, 0, &pointer), "vkMapMemory");
      mapped = static_cast<std::uint8_t*>(pointer);
    }
  } catch (...) {
    destroy();
    throw;
  }
}

VulkanBuffer::~VulkanBuffer() { destroy(); }

void VulkanBuffer::destroy() {
  device_.functions.vkDestroyBuffer(device_.handle, handle, nullptr);
  device_.functions.vkFreeMemory(device_.handle, memory_, nullptr);
}

SluResult registerBuffer(SluContext context, const VulkanBuffer& buffer, SluBuffer* registered, void* hostPointer) {
  auto vulkan = SLU_INIT(VULKAN_BUFFER_INFO, SluVulkanBufferInfo);
  vulkan.buffer = buffer.handle;
  vulkan.usage = buffer.usage;
  auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  info.pNext = &vulkan;
  info.size = buffer.size;
  info.hostPointer = hostPointer;
  return sluCreateBuffer(context, &info, registered);
}

}  // namespace slu::test
