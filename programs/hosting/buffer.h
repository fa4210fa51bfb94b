// Allocates memory, and buffers with their memory.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "hosting/device.h"

namespace hosting {

enum class Memory {
  Device,    // in the GPU's memory
  Shared,    // in the GPU's memory, as a dedicated allocation that CUDA can import
  Upload,    // mapped; written by the host, read by the GPU
  Readback,  // mapped and cached; the host reads it
};

// A buffer with a device address. Its usage always includes storage, address, and transfers from it and to it.
class Buffer {
 public:
  Buffer() = default;
  // A size of 0 gives the smallest buffer. queueFamilies: the families that use the buffer at the same time, at least
  // two; empty if one family at a time uses it.
  Buffer(const Device& device, uint64_t size, VkBufferUsageFlags extraUsage, Memory memory, const std::string& name,
         std::span<const uint32_t> queueFamilies = {});
  // Refers to a buffer that somebody else owns, in device memory.
  Buffer(const Device& device, VkBuffer handle, uint64_t size, VkBufferUsageFlags usage, const std::string& name);

  // Return the size and the usage of a buffer that is created for `size` bytes or with extraUsage.
  static uint64_t sizeFor(uint64_t size);
  static VkBufferUsageFlags usageWith(VkBufferUsageFlags extraUsage);

  VkBuffer get() const { return handle_; }
  uint64_t size() const { return size_; }
  VkBufferUsageFlags usage() const { return usage_; }
  VkDeviceAddress address() const { return address_; }
  std::byte* mapped() const { return mapped_; }  // NULL for Memory::Device and Memory::Shared

  // Return the dedicated allocation of Memory::Shared; NULL and 0 for other memory.
  VkDeviceMemory sharedMemory() const { return sharedBytes_ ? memory_.get() : VK_NULL_HANDLE; }
  uint64_t sharedBytes() const { return sharedBytes_; }

 private:
  void create(const Device& device, bool isShared, std::span<const uint32_t> queueFamilies, const std::string& name);
  void bindMemory(const Device& device, Memory memory, const std::string& name);
  void queryAddress(const Device& device);

  UniqueMemory memory_;  // declared before the buffer, so that it is freed after it
  UniqueBuffer buffer_;
  VkBuffer handle_ = VK_NULL_HANDLE;
  uint64_t size_ = 0;
  uint64_t sharedBytes_ = 0;
  VkBufferUsageFlags usage_ = 0;
  VkDeviceAddress address_ = 0;
  std::byte* mapped_ = nullptr;
};

// Allocates memory for a buffer or an image. next is chained to VkMemoryAllocateInfo. The sentence of a Failure names
// `name`.
UniqueMemory allocateMemory(const Device& device, const VkMemoryRequirements& needs, VkMemoryPropertyFlags required,
                            VkMemoryPropertyFlags preferred, const void* next, const std::string& name);

}  // namespace hosting
