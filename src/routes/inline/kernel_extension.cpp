#include "routes/inline/kernel_extension.h"

namespace slu {
namespace {

constexpr KernelExtension kExtensions[] = {
    {VK_NVX_BINARY_IMPORT_EXTENSION_NAME, nullptr, false, "vkCreateCuModuleNVX", "vkCreateCuFunctionNVX",
     "vkDestroyCuModuleNVX", "vkDestroyCuFunctionNVX", "vkCmdCuLaunchKernelNVX",
     VK_STRUCTURE_TYPE_CU_MODULE_CREATE_INFO_NVX, VK_STRUCTURE_TYPE_CU_FUNCTION_CREATE_INFO_NVX,
     VK_STRUCTURE_TYPE_CU_LAUNCH_INFO_NVX},
    {"VK_NV_cuda_kernel_launch", "cudaKernelLaunchFeatures", true, "vkCreateCudaModuleNV", "vkCreateCudaFunctionNV",
     "vkDestroyCudaModuleNV", "vkDestroyCudaFunctionNV", "vkCmdCudaLaunchKernelNV",
     static_cast<VkStructureType>(1000307000), static_cast<VkStructureType>(1000307001),
     static_cast<VkStructureType>(1000307002)},
};

}  // namespace

std::span<const KernelExtension> kernelExtensions() { return kExtensions; }

KernelFunctions::KernelFunctions(const Device& vulkan, const SluVulkanDeviceInfo& info, const KernelExtension& which)
    : extension(which), device(vulkan) {
  const auto getDeviceProcAddr =
      reinterpret_cast<PFN_vkGetDeviceProcAddr>(info.getInstanceProcAddr(info.instance, "vkGetDeviceProcAddr"));
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
        getDeviceProcAddr == nullptr ? nullptr : getDeviceProcAddr(info.device, name));
    if (function == nullptr) {
      fail(SLU_ERROR_MISSING_FEATURE, "vulkanDevice.getInstanceProcAddr: finds no ", name, ", although ",
           extension.name, " is enabled");
    }
  };
  find(createModule, extension.createModule);
  find(createFunction, extension.createFunction);
  find(destroyModule, extension.destroyModule);
  find(destroyFunction, extension.destroyFunction);
  find(launch, extension.launch);
}

}  // namespace slu
