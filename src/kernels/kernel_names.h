// The names of the library's kernels in their image.
#pragma once

#include <string>

#include "kernels/list.h"

namespace slu {

std::string kernelName(CudaKernel kernel);

// Of the kernel that builds pyramids (device/entries/pyramid.cuh).
std::string pyramidKernelName();

}  // namespace slu
