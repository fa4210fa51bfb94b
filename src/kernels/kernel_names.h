// The names of the library's kernels in their image.
#pragma once

#include <string>

#include "kernels/list.h"

namespace slu {

std::string kernelName(CudaKernel kernel);

}  // namespace slu
