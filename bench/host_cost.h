// What a frame costs the host.
#pragma once

#include "competitor.h"
#include "cuda_objects.h"
#include "results.h"

namespace bench {

// The mean time that enqueue takes, over many calls with a small workload.
HostCost measureHostCost(const Competitor& competitor, cudaStream_t stream);

}  // namespace bench
