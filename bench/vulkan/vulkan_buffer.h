// Buffers in device memory, and how the host fills and reads them.
#pragma once

#include <span>
#include <vector>

#include "vulkan/vulkan_device.h"

namespace bench {

class VulkanBuffer {
 public:
  VulkanBuffer(const VulkanDevice& device, uint64_t bytes) : VulkanBuffer(device, bytes, false) {}
  VulkanBuffer(const VulkanBuffer&) = delete;
  VulkanBuffer& operator=(const VulkanBuffer&) = delete;

  VkBuffer get() const { return buffer_; }
  uint64_t bytes() const { return bytes_; }
  VkDeviceAddress address() const;

  // Blocking; no frame may be running.
  void upload(std::span<const uint32_t> words) const;
  std::vector<uint32_t> download() const;
  void download(std::vector<uint32_t>& words) const;  // which may be large already, and is touched once

  void recordPoison(VkCommandBuffer commands) const;

 private:
  VulkanBuffer(const VulkanDevice& device, uint64_t bytes, bool mapped);

  const VulkanDevice& device_;
  const uint64_t bytes_;
  VulkanMemory memory_;  // before the buffer, so that it outlives it
  VulkanBufferHandle buffer_;
  uint32_t* mapped_ = nullptr;
};

}  // namespace bench
