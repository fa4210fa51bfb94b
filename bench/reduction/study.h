// Reduction by key on the GPU: three methods, keys in three orders, sums in float and in double.
#pragma once

#include <cstdint>
#include <vector>

#include "arena/results.h"

namespace bench {

struct ReductionSettings {
  uint32_t cellsPerEdge = 100;
  uint32_t particlesPerCell = 10;
  uint32_t seed = 1;
  uint32_t repetitionCount = 15;
};

// On the current device.
std::vector<ReductionResult> studyReduction(const ReductionSettings& settings);

}  // namespace bench
