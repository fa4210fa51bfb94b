// The launch between counting and scattering. It evaluates nothing, so that the library alone compiles it.
#pragma once

#include "../entries/bucketed.cuh"

namespace slu::cuda {

// Turns a bucket's counts into the records kept before each chunk. x: bucket, y: view. Like countBuckets it has no bound.
template <uint>
__global__ void __launch_bounds__(kThreads) scanBuckets(const __grid_constant__ Arguments arguments) {
  SLU_SHARED_ARRAY(uint, warpSums, kThreads / kWarp);

  const FrameBlock& frame = arguments.frame;
  uint* row = chunkCounter(frame, blockIdx.y, blockIdx.x, 0);
  uint carried = 0;
  for (uint firstChunk = 0; firstChunk < frame.chunkCount; firstChunk += kThreads) {
    const uint chunk = firstChunk + threadIdx.x;
    const uint count = chunk < frame.chunkCount ? row[chunk] : 0;
    const uint before = exclusiveSumOfBlock<kThreads / kWarp>(count, &warpSums[0], carried);
    if (chunk < frame.chunkCount) row[chunk] = before;
    __syncthreads();
  }
  if (threadIdx.x == 0) *demandedCounter(frame, blockIdx.y, blockIdx.x) = carried;
}

}  // namespace slu::cuda
