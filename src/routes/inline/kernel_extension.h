// Launches CUDA kernels from Vulkan command buffers, through VK_NV_cuda_kernel_launch or its predecessor
// VK_NVX_binary_import. Their structs and functions differ only in names and in sType. This code uses the types of the
// predecessor for both, since old Vulkan headers have only those.
#pragma once

#include <span>

#include "base/vulkan_device.h"

namespace slu {

struct KernelExtension {
  const char* name;
  const char* feature;  // the device must enable this feature; null if the extension has none
  bool takesPtxAlone;   // the extension's specification does not allow fat binaries
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
  // Throws SLU_ERROR_MISSING_FEATURE with the name of a function that the driver lacks. device belongs to info, and
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
