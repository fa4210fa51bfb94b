// A buffer as the recorded routes use it: by its device address, or where that is 0 by its handle.
#pragma once

#include "base/vulkan_device.h"
#include "routes/route.h"

namespace slu {

struct VulkanBuffer : RouteBuffer {
  std::uint64_t vulkanBuffer() const override { return reinterpret_cast<std::uint64_t>(handle); }
  VkBuffer handle = VK_NULL_HANDLE;
  VkBufferUsageFlags usage = 0;
  std::uint64_t size = 0;
};

}  // namespace slu
