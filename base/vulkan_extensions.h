// Extensions that a physical device offers.
#pragma once

#include <vector>

#include "base/vulkan_device.h"

namespace slu {

std::vector<VkExtensionProperties> extensionsOf(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);
bool isOffered(const std::vector<VkExtensionProperties>& offered, const char* extension);

}  // namespace slu
