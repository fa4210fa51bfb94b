// What sluMergeVulkanRequirements does.
#pragma once

#include <sluice/sluice_vulkan.h>

namespace slu {

// Throws, and changes nothing, if the host's chain or list cannot take the requirements.
void mergeRequirements(const SluVulkanRequirements& requirements, SluVulkanMergeInfo& merge);

}  // namespace slu
