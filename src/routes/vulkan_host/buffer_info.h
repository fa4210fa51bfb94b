// Reads the host's SluVulkanBufferInfo, for every route that knows VkBuffers.
#pragma once

#include <optional>

#include "base/vulkan_device.h"

namespace slu {

// Returns nothing if the chain of info has none. device is that of the VkBuffer. It is null if the host gave no
// VkDevice; then the buffer's size cannot be checked.
std::optional<SluVulkanBufferInfo> readBufferInfo(const SluBufferCreateInfo& info, const Device* device);

}  // namespace slu
