// A plan of the inline route.
#pragma once

#include "routes/inline/inline_kernels.h"
#include "routes/route.h"

namespace slu {

// vulkan and device outlive the plan.
std::unique_ptr<RoutePlan> makeInlinePlan(const Device& vulkan, InlineDevice& device, const PlanLayout& layout);

}  // namespace slu
