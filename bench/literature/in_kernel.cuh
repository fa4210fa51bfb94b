// Compaction within one kernel: D. Hughes, I. Lim, M. Jones, A. Knoll, B. Spencer, "InK-Compact: In-Kernel Stream
// Compaction and Its Application to Multi-Kernel Data Visualization on General-Purpose GPUs", Computer Graphics Forum,
// 2013. Blocks scan their tile by ballots and wait for the sum up to the tile before it. Survivors keep their order.
#pragma once

#include "source.cuh"

namespace bench::literature {

constexpr uint32_t kChainThreads = 512;
constexpr uint32_t kChainSteps = 8;  // records per thread; longer tiles make a shorter chain
constexpr uint32_t kChainTile = kChainThreads * kChainSteps;

// Returns how many words a frame sets to 0 before the kernel. The first is the ticket. Then each tile has a word: the
// sum up to its end, plus 1.
inline uint32_t chainWords(uint32_t tileCount) { return 1 + tileCount; }

// The sum is all that is handed over, so no fence is needed.
__device__ inline uint32_t waitForSum(const uint32_t* sum) {
  const volatile uint32_t* published = sum;
  uint32_t value = *published;
  while (value == 0) {
    __nanosleep(20);
    value = *published;
  }
  return value - 1;
}

// One block per tile. Blocks take their tile by a ticket, so that the blocks that they wait for run already: the order
// in which blocks start is not promised.
template <typename Source>
__global__ void __launch_bounds__(kChainThreads)
    compactInKernel(Source source, uint32_t* chain, typename Source::Element* output, uint32_t* total) {
  constexpr uint32_t kWarps = kChainThreads / kWarpLanes;
  SLU_SHARED_ARRAY(uint32_t, warpCounts, kWarps);
  SLU_SHARED(uint32_t, tile);
  SLU_SHARED(uint32_t, tileFirst);
  if (threadIdx.x == 0) tile = atomicAdd(chain, 1u);
  __syncthreads();

  // A warp's records lie side by side.
  const uint32_t begin = tile * kChainTile + warpOfBlock() * (kWarpLanes * kChainSteps) + laneOfWarp();
  uint32_t keys[kChainSteps];
  uint32_t kept[kChainSteps];
  uint32_t warpCount = 0;
  for (uint32_t step = 0; step < kChainSteps; ++step) {
    const uint32_t i = begin + step * kWarpLanes;
    keys[step] = i < source.count ? source.key(i) : 0;
  }
  for (uint32_t step = 0; step < kChainSteps; ++step) {
    kept[step] = __ballot_sync(kAllLanes, keys[step] != 0);
    warpCount += countLanes(kept[step]);
  }
  if (laneOfWarp() == 0) warpCounts[warpOfBlock()] = warpCount;
  __syncthreads();

  uint32_t* const sums = chain + 1;
  if (warpOfBlock() == 0) {
    const uint32_t tileCount = sumOfWarp(laneOfWarp() < kWarps ? warpCounts[laneOfWarp()] : 0u);
    if (laneOfWarp() == 0) {
      const uint32_t first = tile == 0 ? 0 : waitForSum(&sums[tile - 1]);
      atomicExch(&sums[tile], first + tileCount + 1);
      tileFirst = first;
      if (tile == gridDim.x - 1) *total = first + tileCount;
    }
  }
  __syncthreads();

  uint32_t first = tileFirst;
  for (uint32_t warp = 0; warp < warpOfBlock(); ++warp) first += warpCounts[warp];
  for (uint32_t step = 0; step < kChainSteps; ++step) {
    if (keys[step] != 0) output[first + countLower(kept[step])] = source.element(begin + step * kWarpLanes, keys[step]);
    first += countLanes(kept[step]);
  }
}

}  // namespace bench::literature
