#pragma once

#include <cuda_runtime_api.h>

namespace bench {

// Keeps a stream busy for that long, so that the work behind it is submitted before it can begin.
void holdStream(cudaStream_t stream, unsigned microseconds);

// Fails if this program has no code for the current device.
cudaError_t findKernelImage();

}  // namespace bench
