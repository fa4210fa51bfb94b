// A predicate's source compiled into the kernels that a plan launches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cuda/kernels/list.h"
#include "cuda/nvrtc.h"
#include "plan/custom_predicate.h"

namespace slu {

struct CompiledKernels {
  std::vector<char> image;         // a cubin; PTX, zero-terminated, for a device newer than the compiler
  std::vector<std::string> names;  // in the image, of the kernels asked for
};

// computeCapability: of the device, 90 for 9.0. Throws SLU_ERROR_INVALID_ARGUMENT with the whole log when the source does
// not compile.
CompiledKernels compileSource(const NvrtcFunctions& nvrtc, const CustomPredicate& predicate,
                              std::span<const CudaKernel> kernels, int computeCapability);

}  // namespace slu
