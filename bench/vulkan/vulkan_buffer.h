// Buffers in device memory, and how the host fills and reads them.
#pragma once

#include <span>
#include <vector>

#include "hosting/buffer.h"
#include "vulkan/vulkan_device.h"

namespace bench {

class VulkanBuffer {
 public:
  VulkanBuffer(const VulkanDevice& device, uint64_t bytes);
  VulkanBuffer(const VulkanBuffer&) = delete;
  VulkanBuffer& operator=(const VulkanBuffer&) = delete;

  VkBuffer get() const { return buffer_.get(); }
  uint64_t bytes() const { return bytes_; }
  VkBufferUsageFlags usage() const { return buffer_.usage(); }
  VkDeviceAddress address() const { return buffer_.address(); }

  // These block. No frame may be running.
  void upload(std::span<const uint32_t> words) const;
  std::vector<uint32_t> download() const;
  void download(std::vector<uint32_t>& words) const;  // which may be large already, and is touched once

  void recordPoison(VkCommandBuffer commands) const;

 private:
  const VulkanDevice& device_;
  const uint64_t bytes_;
  const Buffer buffer_;
};

}  // namespace bench
