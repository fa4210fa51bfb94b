// The launch between countBuckets and scatterBuckets. It evaluates nothing, so only the library compiles it.
#pragma once

#include "../entries/bucketed.cuh"

namespace slu::cuda {

// Replaces each chunk's count of a bucket by how many records the chunks before it keep, and writes the bucket's total.
// x: bucket, y: view. Like countBuckets it needs no launch bound.
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
