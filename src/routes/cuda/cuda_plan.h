// A plan of the CUDA route.
#pragma once

#include "interop/external_semaphore.h"
#include "kernels/plan_kernels.h"
#include "routes/route.h"

namespace slu {

// context and timelines outlive the plan. timelines: null in a context without a Vulkan device. sources: of the context's
// plans.
std::unique_ptr<RoutePlan> makeCudaPlan(const CudaContext& context, Timelines* timelines,
                                        SourceCache<SourceLibrary>& sources, const PlanLayout& layout);

}  // namespace slu
