// CUDA kernels in Vulkan command buffers: VK_NV_cuda_kernel_launch, or VK_NVX_binary_import, which came before it.
// Their structs and functions differ in names and in sType alone, so that the older ones, which Vulkan's headers have
// had for long, serve for both.
#pragma once

#include <span>

#include "base/vulkan_device.h"

namespace slu {

struct KernelExtension {
  const char* name;
  const char* feature;  // that enables it besides; null where there is none
  bool takesPtxAlone;   // no fat binaries, by its specification
  const char* createModule;
  const char* createFunction;
  const char* destroyModule;
  const char* destroyFunction;
  const char* launch;
  VkStructureType moduleInfo;
  VkStructureType functionInfo;
  VkStructureType launchInfo;
};

// The better one first.
std::span<const KernelExtension> kernelExtensions();

// VkPhysicalDeviceCudaKernelLaunchPropertiesNV of VK_NV_cuda_kernel_launch, which older headers lack.
struct CudaKernelLaunchProperties {
  VkStructureType sType;
  void* pNext;
  std::uint32_t computeCapabilityMinor;
  std::uint32_t computeCapabilityMajor;
};
constexpr auto kCudaKernelLaunchProperties = static_cast<VkStructureType>(1000307004);

// The extension's functions of a device.
struct KernelFunctions {
  // Throws SLU_ERROR_MISSING_FEATURE, naming the function that the driver lacks.
  // device is the one of info, and outlives this object.
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
