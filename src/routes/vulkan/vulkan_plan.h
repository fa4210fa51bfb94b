// A plan of the Vulkan route.
#pragma once

#include "routes/route.h"
#include "routes/vulkan/bound_buffers.h"
#include "routes/vulkan/pipelines.h"

namespace slu {

// What is passed outlives the plan. watch is told when a buffer is destroyed that a frame has bound.
std::unique_ptr<RoutePlan> makeVulkanPlan(const Device& device, Pipelines& pipelines, const PlanLayout& layout,
                                          BufferWatch& watch);

}  // namespace slu
