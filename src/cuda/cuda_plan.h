// A plan of the CUDA route.
#pragma once

#include "interop/external_semaphore.h"
#include "route.h"

namespace slu {

// context and timelines outlive the plan. timelines: null in a context without a Vulkan device.
std::unique_ptr<RoutePlan> makeCudaPlan(const CudaContext& context, Timelines* timelines, const PlanLayout& layout);

}  // namespace slu
