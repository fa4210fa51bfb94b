// A plan of the inline route.
#pragma once

#include "inline/inline_kernels.h"
#include "route.h"

namespace slu {

// vulkan and device outlive the plan.
std::unique_ptr<RoutePlan> makeInlinePlan(const Device& vulkan, InlineDevice& device, const PlanLayout& layout);

}  // namespace slu
