// Checks the host's CUDA memory against what the driver knows of it.
#pragma once

#include <cstdint>

#include "base/cuda_scope.h"

namespace slu {

// Returns the address at which kernels of the context find cudaBuffer.devicePointer. It differs from the pointer for
// some host memory. Throws unless kernels can access all of the bytes, in one allocation or in adjacent mappings.
// Assumes that what the driver cannot tell is right.
std::uint64_t checkDevicePointer(const CudaContext& context, const void* pointer, std::uint64_t bytes);

}  // namespace slu
