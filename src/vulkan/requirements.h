// What the Vulkan route needs of a physical device, and whether a device was created with it.
#pragma once

#include "vulkan/device.h"

namespace slu {

// Throws SLU_ERROR_MISSING_FEATURE, the sentence naming the first thing that is missing. needsBallots: false where
// subgroups are emulated.
void checkPhysicalDevice(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice, bool needsBallots);
void checkEnabledFeatures(const VkDeviceCreateInfo& createInfo);

SluVulkanRequirements vulkanRequirements();

}  // namespace slu
