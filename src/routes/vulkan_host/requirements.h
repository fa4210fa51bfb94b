// What the Vulkan route needs of a physical device, and of how the host created its device.
#pragma once

#include <vector>

#include "base/host_device.h"
#include "base/vulkan_device.h"

namespace slu {

// Throws SLU_ERROR_MISSING_FEATURE if what the route needs is not present.
template <typename... Parts>
void need(const char* route, bool present, const Parts&... what) {
  if (!present) fail(SLU_ERROR_MISSING_FEATURE, "the ", route, " route needs ", what...);
}

// Throws if the instance is older than Vulkan 1.2, because the driver does not tell the features then.
DeviceFeatures offeredFeatures(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

// Throws unless the physical device is of Vulkan 1.2 or later.
void checkDeviceVersion(const char* route, const VkPhysicalDeviceProperties& properties);

// Throws SLU_ERROR_MISSING_FEATURE with a sentence that names the first thing that is missing. needsBallots is false if
// subgroups are emulated.
void checkPhysicalDevice(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice, bool needsBallots);
void checkEnabledFeatures(const SluVulkanDeviceInfo& info);

SluVulkanRequirements vulkanRequirements();
// Includes what makes the route faster, and what indirect draws need, if the device has it.
SluVulkanRequirements vulkanRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);
// Adds the features for indirect draws that the device has.
void addDrawFeatures(SluVulkanRequirements& requirements, const DeviceFeatures& offered,
                     const std::vector<VkExtensionProperties>& offeredExtensions);

}  // namespace slu
