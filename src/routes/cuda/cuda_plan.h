// A plan of the CUDA route.
#pragma once

#include "interop/external_semaphore.h"
#include "kernels/plan_kernels.h"
#include "routes/route.h"

namespace slu {

// shared and timelines outlive the plan. timelines is null if the host uses CUDA alone.
std::unique_ptr<RoutePlan> makeCudaPlan(SharedKernels& shared, TimelineEnds* timelines, const PlanLayout& layout);

}  // namespace slu
