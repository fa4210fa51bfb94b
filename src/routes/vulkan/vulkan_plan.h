// A plan of the Vulkan route.
#pragma once

#include "routes/route.h"
#include "routes/vulkan/pipelines.h"

namespace slu {

// device and pipelines outlive the plan.
std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout);

}  // namespace slu
