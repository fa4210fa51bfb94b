// The CUDA route's own kernels, executed on the CPU.
#pragma once

#include "kernels/schedule.h"

namespace slu::test {

// Returns when every block is done; throws std::runtime_error with the executor's words when one has a fault.
void launchOnCpu(const CudaLaunch& launch, const cuda::Arguments& arguments);

// The same, but each block begins when the one before it is done.
void launchBlockByBlock(const CudaLaunch& launch, const cuda::Arguments& arguments);

}  // namespace slu::test
