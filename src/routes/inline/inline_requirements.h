// What the inline route needs of a physical device and of how a device was created, and what it asks of both.
#pragma once

#include "routes/inline/kernel_extension.h"

namespace slu {

// Throws SLU_ERROR_MISSING_FEATURE, the sentence naming the first thing that is missing.
SluVulkanRequirements inlineRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

// The better one of those that the device was created with. Throws likewise.
const KernelExtension& enabledKernelExtension(const SluVulkanDeviceInfo& info);

struct Multiprocessors {
  std::uint32_t count;
  std::uint32_t threads;  // that each has room for
};
Multiprocessors multiprocessorsOf(const SluVulkanDeviceInfo& info);

}  // namespace slu
