// Counts of blocks, a scan over them, a scatter: D. Spataro, "Stream Compaction on GPU - Efficient Implementation -
// CUDA", and Orange Owls Solutions, "Customized Stream Compaction". Both scan the counts with Thrust; the frame does
// with CUB's DeviceScan, which Thrust calls. A thread per record; survivors keep their order.
#pragma once

#include "source.cuh"

namespace bench::literature {

constexpr uint32_t kCountedThreads = 256;

template <typename Source>
__global__ void __launch_bounds__(kCountedThreads) countBlocks(Source source, uint32_t* counts) {
  const uint32_t i = threadOfGrid();
  const int kept = __syncthreads_count(i < source.count && source.key(i) != 0);
  if (threadIdx.x == 0) counts[blockIdx.x] = static_cast<uint32_t>(kept);
}

// firsts: each block's first place in the output. The last block knows the total and writes it.
template <typename Source>
__global__ void __launch_bounds__(kCountedThreads)
    scatterBlocks(Source source, const uint32_t* firsts, typename Source::Element* output, uint32_t* total) {
  SLU_SHARED_ARRAY(uint32_t, warpCounts, kCountedThreads / kWarpLanes);
  const uint32_t i = threadOfGrid();
  const uint32_t key = i < source.count ? source.key(i) : 0;
  const uint32_t kept = __ballot_sync(kAllLanes, key != 0);
  if (laneOfWarp() == 0) warpCounts[warpOfBlock()] = countLanes(kept);
  __syncthreads();
  uint32_t place = firsts[blockIdx.x] + countLower(kept);
  for (uint32_t warp = 0; warp < warpOfBlock(); ++warp) place += warpCounts[warp];
  if (key != 0) output[place] = source.element(i, key);
  if (blockIdx.x == gridDim.x - 1 && threadIdx.x == kCountedThreads - 1) *total = place + (key != 0 ? 1 : 0);
}

}  // namespace bench::literature
