// "Allocate one for me": a VkBuffer in memory of its own that CUDA can import.
#pragma once

#include "interop/external_allocation.h"
#include "interop/vulkan_external.h"

namespace slu {

struct ExportableBuffer {
  // Device-local where the device has such memory for it; with a device address when usage asks for one.
  ExportableBuffer(const VulkanExternal& external, std::uint64_t size, VkBufferUsageFlags usage, const char* name);

  OwnedMemory memory;  // dedicated to the buffer, which is bound at offset 0
  OwnedBuffer buffer;  // destroyed before its memory
  ExternalAllocation allocation;
  std::uint64_t size;
};

}  // namespace slu
