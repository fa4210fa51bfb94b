// Extensions that a physical device offers, and that a device was created with.
#pragma once

#include <vector>

#include "vulkan/device.h"

namespace slu {

std::vector<VkExtensionProperties> extensionsOf(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);
bool isOffered(const std::vector<VkExtensionProperties>& offered, const char* extension);
bool isEnabled(const VkDeviceCreateInfo& createInfo, const char* extension);

}  // namespace slu
