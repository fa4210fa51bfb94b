// The arena of Vulkan competitors, timed by timestamps around several frames in one command buffer.
#pragma once

#include "arena/arena.h"
#include "vulkan/vulkan_competitor.h"

namespace bench {

// id: Vulkan or VulkanGraphics. selection: of the device, see choosePhysicalDevice.
std::unique_ptr<Arena> makeVulkanArena(ArenaId id, const std::string& selection,
                                       std::vector<std::unique_ptr<VulkanCompetitor>> competitors);

}  // namespace bench
