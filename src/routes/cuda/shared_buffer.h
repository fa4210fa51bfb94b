// Buffers of the CUDA route in memory that another API allocated.
#pragma once

#include "routes/cuda/vulkan_link.h"

namespace slu {

// Returns the VkBuffer of the host's SluVulkanBufferInfo, or null if none is chained. link leads to the VkBuffer's
// device. It is null if the host gave no VkDevice.
VkBuffer readHandle(const SluBufferCreateInfo& info, const VulkanLink* link);

// Each returns null if info does not chain such memory. link may be null.
std::unique_ptr<RouteBuffer> attachMemoryFd(const SluBufferCreateInfo& info, const CudaContext& context,
                                            VulkanLink* link);
std::unique_ptr<RouteBuffer> attachVulkanMemory(const SluBufferCreateInfo& info, VulkanLink& link);

}  // namespace slu
