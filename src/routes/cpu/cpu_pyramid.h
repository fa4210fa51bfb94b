// Pyramids of the CPU route, whose bytes every other route must write.
#pragma once

#include <memory>

#include "plan/pyramid.h"
#include "routes/route.h"

namespace slu {

std::unique_ptr<RoutePyramid> makeCpuPyramid(const PyramidLayout& layout);

}  // namespace slu
