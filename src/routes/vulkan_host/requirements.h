// What the Vulkan route needs of a physical device, and of how the host created its device.
#pragma once

#include <string>
#include <vector>

#include "base/host_device.h"
#include "base/vulkan_device.h"

namespace slu {

// Throws SLU_ERROR_MISSING_FEATURE if what the route needs is not present.
template <typename... Parts>
void need(const char* route, bool present, const Parts&... what) {
  if (!present) fail(SLU_ERROR_MISSING_FEATURE, "the ", route, " route needs ", what...);
}

// The features of Vulkan 1.2 are all false if the driver does not tell them, because the instance or the device is older.
DeviceFeatures offeredFeatures(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

// Throws unless instance and physical device are of Vulkan 1.2 or later.
void checkVulkan12(const char* route, const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

// What the Vulkan route needs, whether it reaches buffers by their addresses or binds them. Throws
// SLU_ERROR_MISSING_FEATURE with a sentence that names the first thing that is missing. needsBallots is false if subgroups
// are emulated.
void checkPhysicalDevice(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice, bool needsBallots);

// Why shaders cannot reach buffers by their addresses; empty if they can. Of a physical device, and of the host's device.
std::string whyNoAddresses(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);
std::string whyNoAddresses(const InstanceFunctions& functions, const SluVulkanDeviceInfo& info);

// Includes what makes the route faster, and what indirect draws need, if the device has it. By addresses if it can.
SluVulkanRequirements vulkanRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);
// Storage buffers that a pipeline may have.
std::uint32_t mostBindings(const VkPhysicalDeviceLimits& limits);

// Adds the features for indirect draws that the device has.
void addDrawFeatures(SluVulkanRequirements& requirements, const DeviceFeatures& offered,
                     const std::vector<VkExtensionProperties>& offeredExtensions);

}  // namespace slu
