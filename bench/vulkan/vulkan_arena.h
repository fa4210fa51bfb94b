// The arena of Vulkan competitors, timed by timestamps around several frames in one command buffer.
#pragma once

#include "arena.h"
#include "vulkan/vulkan_competitor.h"

namespace bench {

// selection: of the device, see VulkanInstance::choose.
std::unique_ptr<Arena> makeVulkanArena(const std::string& selection,
                                       std::vector<std::unique_ptr<VulkanCompetitor>> competitors);

}  // namespace bench
