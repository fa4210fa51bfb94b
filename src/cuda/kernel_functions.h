// The kernels as cudaLaunchKernel takes them; kernel_functions.cu compiles them.
#pragma once

#include "cuda/schedule.h"

namespace slu {

const void* kernelFunction(CudaKernel kernel);

}  // namespace slu
