// Pyramids of the CUDA route, of floats in device memory.
#pragma once

#include <memory>

#include "kernels/plan_kernels.h"
#include "plan/pyramid.h"
#include "routes/route.h"

namespace slu {

// shared outlives the object.
std::unique_ptr<RoutePyramid> makeCudaPyramid(const SharedKernels& shared, const PyramidLayout& layout);

}  // namespace slu
