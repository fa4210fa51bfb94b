// Checks what the inline route needs of a physical device, and of how a device was created.
#pragma once

#include "routes/inline/kernel_extension.h"

namespace slu {

// Throws SLU_ERROR_MISSING_FEATURE with a sentence that names the first thing that is missing.
SluVulkanRequirements inlineRequirements(const InstanceFunctions& functions, VkPhysicalDevice physicalDevice);

// Returns the better one of the extensions that the device was created with. Throws as inlineRequirements does.
const KernelExtension& enabledKernelExtension(const SluVulkanDeviceInfo& info);

struct Multiprocessors {
  std::uint32_t count;
  std::uint32_t threads;  // the most threads that each can hold
};
Multiprocessors multiprocessorsOf(const SluVulkanDeviceInfo& info);

}  // namespace slu
