// Reduction by key on the GPU: three methods, keys in three orders, sums in float and in double.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct ReductionSettings {
  uint32_t cellsPerEdge = 100;
  uint32_t particlesPerCell = 10;
  uint32_t seed = 1;
  uint32_t repetitionCount = 15;
};

// What one method did.
struct ReductionResult {
  std::string method;           // "atomics", "shared atomics", "voting and shuffling"
  std::string order;            // of the keys
  std::string type;             // "float", "double"
  std::string wrong;            // what is wrong with its sums; empty when nothing is, and only then are there samples
  std::vector<double> samples;  // microseconds per frame, the reset of the cells included
};

std::vector<ReductionResult> studyReduction(const ReductionSettings& settings, cudaStream_t stream);

}  // namespace bench
