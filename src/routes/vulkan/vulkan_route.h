// The Vulkan route: GLSL kernels recorded into the host's command buffer.
#pragma once

#include <sluice/sluice_vulkan.h>

#include <memory>

#include "routes/route.h"

namespace slu {

// Throws SLU_ERROR_MISSING_FEATURE when the device cannot run the route, and INVALID_ARGUMENT when info is malformed.
std::unique_ptr<Route> makeVulkanRoute(const SluVulkanDeviceInfo& info);

}  // namespace slu
