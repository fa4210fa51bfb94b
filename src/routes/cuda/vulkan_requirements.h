// Checks what the hand-off between a VkDevice and CUDA needs: of the physical device, and of how the device was
// created.
#pragma once

#include "base/vulkan_device.h"

namespace slu {

// Throws an error that names the first thing that is missing. It checks what the Vulkan device offers, then whether
// there is a CUDA driver, then whether CUDA has the same device. It initializes CUDA only if the first check passes.
void checkCudaPhysicalDevice(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance,
                             VkPhysicalDevice physicalDevice);

// Only reads what the device was created with. It does not initialize CUDA.
void checkCudaEnabled(const SluVulkanDeviceInfo& info);

SluVulkanRequirements cudaRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

}  // namespace slu
