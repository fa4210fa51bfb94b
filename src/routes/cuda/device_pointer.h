// The host's CUDA memory, checked against what the driver knows of it.
#pragma once

#include <cstdint>

#include "base/cuda_scope.h"

namespace slu {

// Where kernels of the context find cudaBuffer.devicePointer, which differs from it for some memory of the host. Throws
// unless they can access all of its bytes, each of which is a part of the one allocation. What the driver cannot tell is
// taken for right.
std::uint64_t checkDevicePointer(const CudaContext& context, const void* pointer, std::uint64_t bytes);

}  // namespace slu
