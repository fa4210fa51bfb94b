// A plan of the d3d12 route: the same dispatches as the vulkan route's by bound buffers, in several dispatches.
#pragma once

#include <memory>

#include "plan/layout.h"
#include "routes/d3d12/pipelines.h"
#include "routes/route.h"

namespace slu {

// device and pipelines outlive the plan.
std::unique_ptr<RoutePlan> makeD3D12Plan(const D3D12Device& device, D3D12Pipelines& pipelines,
                                         const PlanLayout& layout);

}  // namespace slu
