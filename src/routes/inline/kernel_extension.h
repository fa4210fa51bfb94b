// CUDA kernels in Vulkan command buffers: VK_NV_cuda_kernel_launch, or VK_NVX_binary_import, which came before it.
// Their structs and functions differ only in names and in sType. So the older ones, which old headers of Vulkan have
// too, serve for both.
#pragma once

#include <span>

#include "base/vulkan_device.h"

namespace slu {

struct KernelExtension {
  const char* name;
  const char* feature;  // must be enabled, too; null if there is none
  bool takesPtxAlone;   // its specification does not allow fat binaries
  const char* createModule;
  const char* createFunction;
  const char* destroyModule;
  const char* destroyFunction;
  const char* launch;
  VkStructureType moduleInfo;
  VkStructureType functionInfo;
  VkStructureType launchInfo;
};

// Returns both extensions, the better one first.
std::span<const KernelExtension> kernelExtensions();

// VkPhysicalDeviceCudaKernelLaunchPropertiesNV of VK_NV_cuda_kernel_launch, which older headers lack.
struct CudaKernelLaunchProperties {
  VkStructureType sType;
  void* pNext;
  std::uint32_t computeCapabilityMinor;
  std::uint32_t computeCapabilityMajor;
};
constexpr auto kCudaKernelLaunchProperties = static_cast<VkStructureType>(1000307004);

// The functions of an extension on a device.
struct KernelFunctions {
  // Throws SLU_ERROR_MISSING_FEATURE with the name of a function that the driver lacks. device is that of info, and
  // outlives this object.
  KernelFunctions(const Device& device, const SluVulkanDeviceInfo& info, const KernelExtension& extension);

  const KernelExtension& extension;
  const Device& device;
  PFN_vkCreateCuModuleNVX createModule = nullptr;
  PFN_vkCreateCuFunctionNVX createFunction = nullptr;
  PFN_vkDestroyCuModuleNVX destroyModule = nullptr;
  PFN_vkDestroyCuFunctionNVX destroyFunction = nullptr;
  PFN_vkCmdCuLaunchKernelNVX launch = nullptr;
};

}  // namespace slu
