// The library's kernels as a fat binary: code for each architecture that the library was built for.
#pragma once

#include <span>

namespace slu {

std::span<const char> kernelImage();

}  // namespace slu
