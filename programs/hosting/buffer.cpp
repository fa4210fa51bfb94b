#include "hosting/buffer.h"

#include <algorithm>

#include "hosting/failure.h"

namespace hosting {
namespace {

constexpr VkExternalMemoryHandleTypeFlagBits kSharedType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT;
constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

bool isMapped(Memory memory) { return memory == Memory::Upload || memory == Memory::Readback; }

VkMemoryPropertyFlags preferredOf(Memory memory) {
  if (memory == Memory::Upload) return 0;
  return memory == Memory::Readback ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
}

}  // namespace

UniqueMemory allocateMemory(const Device& device, const VkMemoryRequirements& needs, VkMemoryPropertyFlags required,
                            VkMemoryPropertyFlags preferred, const void* next, const std::string& name) {
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.pNext = next;
  info.allocationSize = needs.size;
  info.memoryTypeIndex = device.memoryType(needs.memoryTypeBits, required, preferred);
  UniqueMemory memory;
  const VkResult result = vkAllocateMemory(device.get(), &info, nullptr, memory.put(device.get()));
  if (result != VK_SUCCESS) {
    const char* reason = resultName(result);
    failRuntime("no memory for ", name, " (", needs.size >> 20, " MiB): ", reason ? reason : "vkAllocateMemory failed");
  }
  device.setName(VK_OBJECT_TYPE_DEVICE_MEMORY, memory.get(), name);
  return memory;
}

uint64_t Buffer::sizeFor(uint64_t size) { return std::max<uint64_t>((size + 3) / 4 * 4, 16); }

VkBufferUsageFlags Buffer::usageWith(VkBufferUsageFlags extraUsage) {
  return extraUsage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
         VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
}

Buffer::Buffer(const Device& device, uint64_t size, VkBufferUsageFlags extraUsage, Memory memory,
               const std::string& name, std::span<const uint32_t> queueFamilies)
    : size_(sizeFor(size)), usage_(usageWith(extraUsage)) {
  create(device, memory == Memory::Shared, queueFamilies, name);
  bindMemory(device, memory, name);
  queryAddress(device);
}

Buffer::Buffer(const Device& device, VkBuffer handle, uint64_t size, VkBufferUsageFlags usage, const std::string& name)
    : handle_(handle), size_(size), usage_(usage) {
  device.setName(VK_OBJECT_TYPE_BUFFER, handle_, name);
  queryAddress(device);
}

void Buffer::create(const Device& device, bool isShared, std::span<const uint32_t> queueFamilies,
                    const std::string& name) {
  VkExternalMemoryBufferCreateInfo external{};
  external.sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO;
  external.handleTypes = kSharedType;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.pNext = isShared ? &external : nullptr;
  info.size = size_;
  info.usage = usage_;
  info.sharingMode = queueFamilies.empty() ? VK_SHARING_MODE_EXCLUSIVE : VK_SHARING_MODE_CONCURRENT;
  info.queueFamilyIndexCount = static_cast<uint32_t>(queueFamilies.size());
  info.pQueueFamilyIndices = queueFamilies.data();
  check(vkCreateBuffer(device.get(), &info, nullptr, buffer_.put(device.get())),
        ("vkCreateBuffer for " + name).c_str());
  handle_ = buffer_;
  device.setName(VK_OBJECT_TYPE_BUFFER, handle_, name);
}

void Buffer::bindMemory(const Device& device, Memory memory, const std::string& name) {
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device.get(), handle_, &needs);
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryDedicatedAllocateInfo dedicated{};
  dedicated.sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO;
  dedicated.pNext = &flags;
  dedicated.buffer = handle_;
  VkExportMemoryAllocateInfo exported{};
  exported.sType = VK_STRUCTURE_TYPE_EXPORT_MEMORY_ALLOCATE_INFO;
  exported.pNext = &dedicated;
  exported.handleTypes = kSharedType;
  const bool isShared = memory == Memory::Shared;
  const void* next = isShared ? static_cast<const void*>(&exported) : &flags;
  memory_ = allocateMemory(device, needs, isMapped(memory) ? kMapped : 0, preferredOf(memory), next, name);
  if (isShared) sharedBytes_ = needs.size;
  check(vkBindBufferMemory(device.get(), handle_, memory_, 0), "vkBindBufferMemory");
  if (!isMapped(memory)) return;
  void* pointer = nullptr;
  check(vkMapMemory(device.get(), memory_, 0, VK_WHOLE_SIZE, 0, &pointer), "vkMapMemory");
  mapped_ = static_cast<std::byte*>(pointer);
}

void Buffer::queryAddress(const Device& device) {
  VkBufferDeviceAddressInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  info.buffer = handle_;
  address_ = vkGetBufferDeviceAddress(device.get(), &info);
}

}  // namespace hosting
