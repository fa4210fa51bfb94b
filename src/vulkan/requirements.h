// What the Vulkan route needs of a physical device, and what a device was created with.
#pragma once

#include "vulkan/device.h"

namespace slu {

// Throws SLU_ERROR_MISSING_FEATURE if what the route needs is not present.
template <typename... Parts>
void need(const char* route, bool present, const Parts&... what) {
  if (!present) fail(SLU_ERROR_MISSING_FEATURE, "the ", route, " route needs ", what...);
}

// The features that the library's routes may need, as a host enabled them.
struct EnabledFeatures {
  bool bufferDeviceAddress = false;
  bool shaderBufferInt64Atomics = false;
  bool shaderInt64 = false;
  bool timelineSemaphore = false;
  bool uniformBufferStandardLayout = false;
};
EnabledFeatures enabledFeatures(const VkDeviceCreateInfo& createInfo);

// Those that a device of Vulkan 1.2 or later has.
struct OfferedFeatures {
  VkPhysicalDeviceFeatures core;
  VkPhysicalDeviceVulkan12Features vulkan12;
};
OfferedFeatures offeredFeatures(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

// Throws SLU_ERROR_MISSING_FEATURE, the sentence naming the first thing that is missing. needsBallots: false where
// subgroups are emulated.
void checkPhysicalDevice(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice, bool needsBallots);
void checkEnabledFeatures(const VkDeviceCreateInfo& createInfo);

SluVulkanRequirements vulkanRequirements();
// With what the route can do without, too, but is faster with where the device has it.
SluVulkanRequirements vulkanRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

}  // namespace slu
