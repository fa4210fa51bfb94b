// What handing a VkDevice's buffers to CUDA needs of a physical device, and of how the device was created.
#pragma once

#include "base/vulkan_device.h"

namespace slu {

// Throws a sentence that names the first thing that is missing: what the Vulkan device offers, then a CUDA driver, then
// the same device in CUDA. Initializes CUDA only when the rest is there.
void checkCudaPhysicalDevice(PFN_vkGetInstanceProcAddr getInstanceProcAddr, VkInstance instance,
                             VkPhysicalDevice physicalDevice);

// Reads what the device was created with alone.
void checkCudaEnabled(const SluVulkanDeviceInfo& info);

SluVulkanRequirements cudaRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

}  // namespace slu
