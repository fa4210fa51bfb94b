// A plan of the CUDA route.
#pragma once

#include "interop/external_semaphore.h"
#include "kernels/plan_kernels.h"
#include "routes/route.h"

namespace slu {

// shared and timelines outlive the plan. timelines is null in a context without a Vulkan device.
std::unique_ptr<RoutePlan> makeCudaPlan(SharedKernels& shared, Timelines* timelines, const PlanLayout& layout);

}  // namespace slu
