// Compiles a predicate's source into the kernels that a plan launches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/list.h"
#include "kernels/nvrtc.h"
#include "plan/custom_predicate.h"

namespace slu {

// native: machine code of the device. portable: PTX, which newer devices can compile, too.
enum class KernelCode { native, portable };

struct CompiledKernels {
  std::vector<char> image;         // a cubin, or zero-terminated PTX if portable or if the device is newer than NVRTC
  std::vector<std::string> names;  // in the image, of the kernels asked for
};

// Compiles the source. computeCapability: that of the device, 90 for 9.0, or for portable code that of the oldest
// device. Throws SLU_ERROR_INVALID_ARGUMENT with the whole log if the source does not compile.
CompiledKernels compileSource(const NvrtcFunctions& nvrtc, const CustomPredicate& predicate,
                              std::span<const CudaKernel> kernels, int computeCapability,
                              KernelCode code = KernelCode::native);

}  // namespace slu
