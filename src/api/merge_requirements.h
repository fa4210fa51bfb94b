// What sluMergeVulkanRequirements does.
#pragma once

#include <sluice/sluice_vulkan.h>

namespace slu {

// Throws, having changed nothing, when the host's chain or list cannot take the requirements.
void mergeRequirements(const SluVulkanRequirements& requirements, SluVulkanMergeInfo& merge);

}  // namespace slu
