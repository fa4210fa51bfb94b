// Buffers of the CUDA route in memory that another API allocated.
#pragma once

#include "routes/cuda/vulkan_link.h"

namespace slu {

// Of the host's SluVulkanBufferInfo; null when it is not chained. link: to the VkBuffer's device; null for a host with
// CUDA alone.
VkBuffer readHandle(const SluBufferCreateInfo& info, const VulkanLink* link);

// Null when info's chain names no such memory, or memory of a VkDevice and there is no link to it.
std::unique_ptr<RouteBuffer> attachSharedBuffer(const SluBufferCreateInfo& info, const CudaContext& context,
                                                VulkanLink* link);

}  // namespace slu
