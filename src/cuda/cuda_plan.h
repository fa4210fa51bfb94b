// A plan of the CUDA route.
#pragma once

#include "interop/cuda_scope.h"
#include "route.h"

namespace slu {

// context outlives the plan.
std::unique_ptr<RoutePlan> makeCudaPlan(const CudaContext& context, const PlanLayout& layout);

}  // namespace slu
