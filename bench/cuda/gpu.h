// The GPU that is measured.
#pragma once

#include "arena/results.h"

namespace bench {

// Makes the device of that ordinal the current one and describes it. Throws Failure: NoDevice when there is none that
// this program can use, BadInput when there is none of that ordinal.
GpuDescription openGpu(int device);

}  // namespace bench
