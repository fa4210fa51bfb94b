// The library's kernels as files of the compiler's.
#pragma once

#include <span>

namespace slu {

// A compressed fat binary: code for each architecture that the library was built for. CUDA's driver and Vulkan's load
// it.
std::span<const char> kernelImage();

// PTX of the oldest of these architectures, which every newer GPU compiles, with its zero: of the kernels that `inline`
// can launch.
std::span<const char> kernelPtx();

}  // namespace slu
