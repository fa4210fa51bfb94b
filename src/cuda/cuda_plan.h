// A plan of the CUDA route.
#pragma once

#include "cuda/plan_kernels.h"
#include "interop/external_semaphore.h"
#include "route.h"

namespace slu {

// context and timelines outlive the plan. timelines: null in a context without a Vulkan device. sources: of the context's
// plans.
std::unique_ptr<RoutePlan> makeCudaPlan(const CudaContext& context, Timelines* timelines,
                                        SourceCache<SourceLibrary>& sources, const PlanLayout& layout);

}  // namespace slu
