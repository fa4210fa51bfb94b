// A predicate's source compiled into the kernels that a plan launches.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "kernels/list.h"
#include "kernels/nvrtc.h"
#include "plan/custom_predicate.h"

namespace slu {

// native: machine code of the device. portable: PTX, which newer devices compile as well.
enum class KernelCode { native, portable };

struct CompiledKernels {
  std::vector<char> image;  // a cubin; or PTX, zero-terminated: portable, or for a device newer than the compiler
  std::vector<std::string> names;  // in the image, of the kernels asked for
};

// computeCapability: of the device, 90 for 9.0; for portable code the least that it may have. Throws
// SLU_ERROR_INVALID_ARGUMENT with the whole log when the source does not compile.
CompiledKernels compileSource(const NvrtcFunctions& nvrtc, const CustomPredicate& predicate,
                              std::span<const CudaKernel> kernels, int computeCapability,
                              KernelCode code = KernelCode::native);

}  // namespace slu
