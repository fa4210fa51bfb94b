// The CUDA route enqueues kernels on device memory into the host's stream.
#pragma once

#include <sluice/sluice_vulkan_cuda.h>
#ifdef SLUICE_D3D12
#include <sluice/sluice_d3d12_cuda.h>
#endif

#include <memory>

#include "routes/route.h"

namespace slu {

class CudaContext;
struct CudaFunctions;

// Serves a host that uses CUDA alone. Throws SLU_ERROR_ROUTE_UNAVAILABLE if no device can run the route, and
// SLU_ERROR_INVALID_ARGUMENT if info is malformed.
std::unique_ptr<Route> makeCudaRoute(const SluCudaDeviceInfo& info);

// Serves a Vulkan host, on the CUDA device that is the same GPU as its VkDevice. If cuda is not null, it must name that
// device. CUDA is initialized only if the VkDevice was created with the extensions and features that the route needs.
std::unique_ptr<Route> makeCudaRoute(const SluVulkanDeviceInfo& vulkan, const SluCudaDeviceInfo* cuda);

#ifdef SLUICE_D3D12
// Serves a Direct3D 12 host, on the CUDA device that is the same GPU as its ID3D12Device. If cuda is not null, it must
// name that device. functions: a test's, instead of the driver's.
std::unique_ptr<Route> makeCudaRoute(const SluD3D12DeviceInfo& d3d12, const SluCudaDeviceInfo* cuda);
std::unique_ptr<Route> makeCudaRoute(const CudaFunctions& functions, const SluD3D12DeviceInfo& d3d12,
                                     const SluCudaDeviceInfo* cuda);
#endif

// Uses an existing context; vulkan may be null. Throws SLU_ERROR_MISSING_FEATURE if the build has no code for the
// context's device.
std::unique_ptr<Route> makeCudaRoute(std::unique_ptr<const CudaContext> context, const SluVulkanDeviceInfo* vulkan);

}  // namespace slu
