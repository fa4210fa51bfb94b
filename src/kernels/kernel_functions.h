// The kernels as cudaLaunchKernel takes them; kernel_functions.cu compiles them.
#pragma once

#include "kernels/schedule.h"

namespace slu {

const void* kernelFunction(CudaKernel kernel);

}  // namespace slu
