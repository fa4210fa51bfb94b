// The library's kernels, as the compiler wrote them.
#pragma once

#include <span>
#include <string>

namespace slu {

// Returns a compressed fat binary with code for each architecture that the library was built for. CUDA's driver and
// Vulkan's load it.
std::span<const char> kernelImage();

// Returns the kernels that `inline` can launch, as PTX of the oldest of these architectures. Every newer GPU can compile
// it. It is unpacked each time.
std::string kernelPtx();

}  // namespace slu
