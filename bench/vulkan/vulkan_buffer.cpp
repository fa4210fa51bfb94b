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

uint32_t* words(const Buffer& mapped) { return reinterpret_cast<uint32_t*>(mapped.mapped()); }

// The queue families that use a buffer at the same time.
std::vector<uint32_t> familiesOf(const VulkanDevice& device) {
  if (device.computeQueue() == nullptr) return {};
  return {device.queue().family, device.computeQueue()->family};
}

Buffer staging(const VulkanDevice& device, uint64_t bytes, Memory memory) {
  return Buffer(device, std::min(bytes, kStagingBytes), 0, memory, "staging");
}

}  // namespace

VulkanBuffer::VulkanBuffer(const VulkanDevice& device, uint64_t bytes)
    : device_(device),
      bytes_(bytes),
      buffer_(device, bytes, device.bufferUsage(), Memory::Device, "measured", familiesOf(device)) {}

void VulkanBuffer::upload(std::span<const uint32_t> source) const {
  const Buffer staged = staging(device_, source.size_bytes(), Memory::Upload);
  for (uint64_t done = 0; done < source.size_bytes(); done += kStagingBytes) {
    const uint64_t part = std::min(source.size_bytes() - done, kStagingBytes);
    copyWords(words(staged), source.data() + done / sizeof(uint32_t), part);
    device_.runOnce([&](VkCommandBuffer commands) {
      const VkBufferCopy region{0, done, part};
      vkCmdCopyBuffer(commands, staged.get(), get(), 1, &region);
    });
  }
}

std::vector<uint32_t> VulkanBuffer::download() const {
  std::vector<uint32_t> target;
  download(target);
  return target;
}

void VulkanBuffer::download(std::vector<uint32_t>& target) const {
  target.resize(bytes_ / sizeof(uint32_t));
  const Buffer staged = staging(device_, bytes_, Memory::Readback);
  for (uint64_t done = 0; done < bytes_; done += kStagingBytes) {
    const uint64_t part = std::min(bytes_ - done, kStagingBytes);
    device_.runOnce([&](VkCommandBuffer commands) {
      const VkBufferCopy region{done, 0, part};
      frameBarrier(commands);
      vkCmdCopyBuffer(commands, get(), staged.get(), 1, &region);
      memoryBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                    VK_ACCESS_HOST_READ_BIT);
    });
    copyWords(target.data() + done / sizeof(uint32_t), words(staged), part);
  }
}

void VulkanBuffer::recordPoison(VkCommandBuffer commands) const {
  vkCmdFillBuffer(commands, get(), 0, VK_WHOLE_SIZE, kPoisonWord);
}

}  // namespace bench
