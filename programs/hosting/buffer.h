// Buffers with their memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "hosting/device.h"

namespace hosting {

enum class Memory {
  Device,    // the GPU's own
  Shared,    // the same, in an allocation of its own that CUDA can import
  Upload,    // mapped; written by the host, read by the GPU
  Readback,  // mapped and cached; the host reads it
};

// A buffer with a device address. Usage always has storage, address, and transfer both ways.
class Buffer {
 public:
  Buffer() = default;
  // A size of 0 gives the smallest buffer. queueFamilies: two or more that use it at once; empty for one at a time.
  Buffer(const Device& device, uint64_t size, VkBufferUsageFlags extraUsage, Memory memory, const std::string& name,
         std::span<const uint32_t> queueFamilies = {});
  // A look at somebody else's buffer, of device memory.
  Buffer(const Device& device, VkBuffer handle, uint64_t size, VkBufferUsageFlags usage, const std::string& name);

  // What a buffer for `size` bytes has.
  static uint64_t sizeFor(uint64_t size);
  static VkBufferUsageFlags usageWith(VkBufferUsageFlags extraUsage);

  VkBuffer get() const { return handle_; }
  uint64_t size() const { return size_; }
  VkBufferUsageFlags usage() const { return usage_; }
  VkDeviceAddress address() const { return address_; }
  std::byte* mapped() const { return mapped_; }  // NULL for Memory::Device and Memory::Shared

  // Memory::Shared: the dedicated allocation. Else NULL and 0.
  VkDeviceMemory sharedMemory() const { return sharedBytes_ ? memory_.get() : VK_NULL_HANDLE; }
  uint64_t sharedBytes() const { return sharedBytes_; }

 private:
  void create(const Device& device, bool isShared, std::span<const uint32_t> queueFamilies, const std::string& name);
  void bindMemory(const Device& device, Memory memory, const std::string& name);
  void queryAddress(const Device& device);

  UniqueMemory memory_;  // before the buffer, so that it outlives it
  UniqueBuffer buffer_;
  VkBuffer handle_ = VK_NULL_HANDLE;
  uint64_t size_ = 0;
  uint64_t sharedBytes_ = 0;
  VkBufferUsageFlags usage_ = 0;
  VkDeviceAddress address_ = 0;
  std::byte* mapped_ = nullptr;
};

// Memory for a buffer or an image. next: what is chained to the allocation. The failure's sentence has the name.
UniqueMemory allocateMemory(const Device& device, const VkMemoryRequirements& needs, VkMemoryPropertyFlags required,
                            VkMemoryPropertyFlags preferred, const void* next, const std::string& name);

}  // namespace hosting
