// Pyramids of the routes that record into the host's Vulkan command buffer. They bind their buffers, so that one shader
// serves devices with addresses and without.
#pragma once

#include <memory>

#include "base/vulkan_device.h"
#include "plan/pyramid.h"
#include "routes/route.h"

namespace slu {

// chain: of SluPyramidCreateInfo. device outlives the object.
std::unique_ptr<RoutePyramid> makeVulkanPyramid(const Device& device, const PyramidLayout& layout, const void* chain);

}  // namespace slu
