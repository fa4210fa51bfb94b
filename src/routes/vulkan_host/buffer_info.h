// The host's SluVulkanBufferInfo, as every route that knows VkBuffers reads it.
#pragma once

#include <optional>

#include "base/vulkan_device.h"

namespace slu {

// Nothing when info's chain has none. device: the VkBuffer's; null when the host handed over no VkDevice, and the
// buffer's size cannot be checked.
std::optional<SluVulkanBufferInfo> readBufferInfo(const SluBufferCreateInfo& info, const Device* device);

}  // namespace slu
