// The CUDA route: kernels on device memory, enqueued into the host's stream.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>

#include <memory>

#include "routes/route.h"

namespace slu {

class CudaContext;

// For a host with CUDA alone. Throws SLU_ERROR_ROUTE_UNAVAILABLE when no device can run the route, and INVALID_ARGUMENT
// when info is malformed.
std::unique_ptr<Route> makeCudaRoute(const SluCudaDeviceInfo& info);

// For a Vulkan host, on the CUDA device that is its VkDevice; cuda, when not null, must be that one. CUDA is
// initialized only when the device was created with what the route needs.
std::unique_ptr<Route> makeCudaRoute(const SluVulkanDeviceInfo& vulkan, const SluCudaDeviceInfo* cuda);

// In a context that is there; vulkan may be null. Throws SLU_ERROR_MISSING_FEATURE when the build has no code for the
// context's device.
std::unique_ptr<Route> makeCudaRoute(std::unique_ptr<const CudaContext> context, const SluVulkanDeviceInfo* vulkan);

}  // namespace slu
