// What the host chains to SluContextCreateInfo and says of itself, read and checked before any route looks at it.
#pragma once

#include <sluice/sluice.h>

#include <optional>
#ifdef SLUICE_VULKAN
#include <sluice/sluice_vulkan.h>
#endif
#ifdef SLUICE_CUDA
#include <sluice/sluice_cuda.h>
#endif
#ifdef SLUICE_D3D12
#include <sluice/sluice_d3d12.h>
#endif

namespace slu {

struct HostDevices {
  SluFlags hostFlags = 0;  // the verbs that the host says it calls
#ifdef SLUICE_VULKAN
  std::optional<SluVulkanDeviceInfo> vulkan;
#endif
#ifdef SLUICE_CUDA
  std::optional<SluCudaDeviceInfo> cuda;
#endif
#ifdef SLUICE_D3D12
  std::optional<SluD3D12DeviceInfo> d3d12;
#endif
};

#ifdef SLUICE_VULKAN
struct PhysicalDevice {
  PFN_vkGetInstanceProcAddr getInstanceProcAddr;
  VkInstance instance;
  VkPhysicalDevice handle;
};
#endif

}  // namespace slu
