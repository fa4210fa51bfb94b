// Buffers of the CUDA route in memory that another API allocated.
#pragma once

#include "routes/cuda/vulkan_link.h"

namespace slu {

// Returns the VkBuffer of the host's SluVulkanBufferInfo, or null if none is chained. link leads to the VkBuffer's
// device. It is null if the host gave no VkDevice.
VkBuffer readHandle(const SluBufferCreateInfo& info, const VulkanLink* link);

// Returns null if info chains no memory of another API, or a VkDeviceMemory although link is null.
std::unique_ptr<RouteBuffer> attachSharedBuffer(const SluBufferCreateInfo& info, const CudaContext& context,
                                                VulkanLink* link);

}  // namespace slu
