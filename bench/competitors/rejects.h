#pragma once

#include "cuda/competitor.h"

namespace bench {

// How many of a set's output elements behind the kept ones are not records, or indices of records, that are not live.
// Leaves poison in place of all of them, as if they had not been written. Waits.
uint32_t takeRejects(const Workload& workload, const FrameSet& set);

}  // namespace bench
