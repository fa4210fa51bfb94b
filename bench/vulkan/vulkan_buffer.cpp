#include "vulkan/vulkan_buffer.h"

#include <algorithm>

#include "base/threads.h"
#include "workload/frame.h"

namespace bench {
namespace {

constexpr uint64_t kStagingBytes = 64u << 20;

void copyWords(uint32_t* to, const uint32_t* from, uint64_t bytes) {
  forRanges(bytes / sizeof(uint32_t),
            [&](uint64_t begin, uint64_t end) { std::copy(from + begin, from + end, to + begin); });
}

}  // namespace

VulkanBuffer::VulkanBuffer(const VulkanDevice& device, uint64_t bytes, bool mapped) : device_(device), bytes_(bytes) {
  constexpr VkMemoryPropertyFlags kMapped = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = bytes;
  info.usage = device.bufferUsage();
  const uint32_t families[] = {device.queue().family,
                               device.computeQueue() != nullptr ? device.computeQueue()->family : 0};
  if (device.computeQueue() != nullptr) {  // both queues' at once
    info.sharingMode = VK_SHARING_MODE_CONCURRENT;
    info.queueFamilyIndexCount = 2;
    info.pQueueFamilyIndices = families;
  }
  check(vkCreateBuffer(device.get(), &info, nullptr, buffer_.put(device.get())), "vkCreateBuffer");
  VkMemoryRequirements needs{};
  vkGetBufferMemoryRequirements(device.get(), buffer_, &needs);
  VkMemoryAllocateFlagsInfo flags{};
  flags.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO;
  flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
  VkMemoryAllocateInfo allocateInfo{};
  allocateInfo.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocateInfo.pNext = &flags;
  allocateInfo.allocationSize = needs.size;
  allocateInfo.memoryTypeIndex =
      mapped ? device.memoryType(needs.memoryTypeBits, kMapped, VK_MEMORY_PROPERTY_HOST_CACHED_BIT)
             : device.memoryType(needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0);
  check(vkAllocateMemory(device.get(), &allocateInfo, nullptr, memory_.put(device.get())), "vkAllocateMemory");
  check(vkBindBufferMemory(device.get(), buffer_, memory_, 0), "vkBindBufferMemory");
  if (!mapped) return;
  void* pointer = nullptr;
  check(vkMapMemory(device.get(), memory_, 0, VK_WHOLE_SIZE, 0, &pointer), "vkMapMemory");
  mapped_ = static_cast<uint32_t*>(pointer);
}

VkDeviceAddress VulkanBuffer::address() const {
  VkBufferDeviceAddressInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO;
  info.buffer = buffer_;
  return vkGetBufferDeviceAddress(device_.get(), &info);
}

void VulkanBuffer::upload(std::span<const uint32_t> words) const {
  const VulkanBuffer staging(device_, std::min(words.size_bytes(), kStagingBytes), true);
  for (uint64_t done = 0; done < words.size_bytes(); done += staging.bytes()) {
    const uint64_t part = std::min(words.size_bytes() - done, staging.bytes());
    copyWords(staging.mapped_, words.data() + done / sizeof(uint32_t), part);
    device_.runOnce([&](VkCommandBuffer commands) {
      const VkBufferCopy region{0, done, part};
      vkCmdCopyBuffer(commands, staging.get(), buffer_, 1, &region);
    });
  }
}

std::vector<uint32_t> VulkanBuffer::download() const {
  std::vector<uint32_t> words;
  download(words);
  return words;
}

void VulkanBuffer::download(std::vector<uint32_t>& words) const {
  words.resize(bytes_ / sizeof(uint32_t));
  const VulkanBuffer staging(device_, std::min(bytes_, kStagingBytes), true);
  for (uint64_t done = 0; done < bytes_; done += staging.bytes()) {
    const uint64_t part = std::min(bytes_ - done, staging.bytes());
    device_.runOnce([&](VkCommandBuffer commands) {
      const VkBufferCopy region{done, 0, part};
      frameBarrier(commands);
      vkCmdCopyBuffer(commands, buffer_, staging.get(), 1, &region);
      VkMemoryBarrier barrier{};
      barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
      barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
      barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0,
                           nullptr, 0, nullptr);
    });
    copyWords(words.data() + done / sizeof(uint32_t), staging.mapped_, part);
  }
}

void VulkanBuffer::recordPoison(VkCommandBuffer commands) const {
  vkCmdFillBuffer(commands, buffer_, 0, VK_WHOLE_SIZE, kPoisonWord);
}

}  // namespace bench
