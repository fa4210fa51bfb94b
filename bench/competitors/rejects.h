#pragma once

#include "cuda/competitor.h"

namespace bench {

// Checks a set's output elements behind the kept ones. Returns how many of them are neither dead records nor indices of
// dead records. Overwrites them all with poison, as if they had not been written. Blocks until the GPU is done.
uint32_t takeRejects(const Workload& workload, const FrameSet& set);

}  // namespace bench
