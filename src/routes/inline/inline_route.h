// The inline route records the CUDA route's kernels into the host's command buffer.
#pragma once

#include <sluice/sluice_vulkan.h>

#include <memory>

#include "routes/route.h"

namespace slu {

// info is well-formed. Throws if the device cannot run the route, in most cases SLU_ERROR_MISSING_FEATURE.
std::unique_ptr<Route> makeInlineRoute(const SluVulkanDeviceInfo& info);

}  // namespace slu
