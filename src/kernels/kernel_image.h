// The library's kernels, as the compiler wrote them.
#pragma once

#include <span>

namespace slu {

// Returns a compressed fat binary with code for each architecture that the library was built for. CUDA's driver and
// Vulkan's load it.
std::span<const char> kernelImage();

// Returns the kernels that `inline` can launch, as zero-terminated PTX of the oldest of these architectures. Every
// newer GPU can compile it.
std::span<const char> kernelPtx();

}  // namespace slu
