// A plan of the Vulkan route.
#pragma once

#include "route.h"
#include "vulkan/pipelines.h"

namespace slu {

// device and pipelines outlive the plan.
std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout);

}  // namespace slu
