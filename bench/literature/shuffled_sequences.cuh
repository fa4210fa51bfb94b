// Billeter's phases with what came later: shuffles for every prefix, 4-wide loads, a move that reads the input again.
// "Crazy on CUDA: Parallel Stream Compaction", part 5, The Byte Kitchen, 2018. It takes inputs of whole multiples of
// 65,536 words, which divide into 512 equal sequences of whole steps, so that no load is guarded. Survivors keep their
// order.
#pragma once

#include "warp_sequences.cuh"

namespace bench::literature {

constexpr uint32_t kShuffledUnit = 65536;
constexpr uint32_t kShuffledWidth = 4;

// 512 sequences, twice as many, and so on, as long as they are equal and at most `most`.
inline Sequences divideEvenly(uint32_t wordCount, uint32_t most) {
  constexpr uint32_t kStep = kWarpLanes * kShuffledWidth;
  uint32_t count = kShuffledUnit / kStep;
  while (2 * count <= most && wordCount % (2 * count * kStep) == 0) count *= 2;
  return {count, wordCount / count};
}

__device__ inline uint32_t countKept(const Chunk<kShuffledWidth>& keys) {
  uint32_t kept = 0;
  for (uint32_t k = 0; k < kShuffledWidth; ++k) kept += keys.words[k] != 0 ? 1 : 0;
  return kept;
}

__global__ void __launch_bounds__(kSequenceThreads)
    countEqualSequences(const Chunk<kShuffledWidth>* chunks, Sequences sequences, uint32_t* counts) {
  const uint32_t chunkCount = sequences.length / kShuffledWidth;
  const Chunk<kShuffledWidth>* own = chunks + warpOfGrid() * chunkCount + laneOfWarp();
  uint32_t kept = 0;
  for (uint32_t step = 0; step < chunkCount; step += kWarpLanes) kept += countKept(own[step]);
  kept = sumOfWarp(kept);
  if (laneOfWarp() == 0) counts[warpOfGrid()] = kept;
}

// Replaces counts by the sums before them. One block; it also writes the total.
__global__ void __launch_bounds__(kPrefixThreads) shuffleBefore(uint32_t* counts, uint32_t count, uint32_t* total) {
  SLU_SHARED_ARRAY(uint32_t, warpSums, kPrefixThreads / kWarpLanes);
  uint32_t before = 0;
  for (uint32_t tile = 0; tile < count; tile += kPrefixThreads) {
    const uint32_t i = tile + threadIdx.x;
    const uint32_t own = i < count ? counts[i] : 0;
    const uint32_t sum = inclusiveSumOfWarp(own);
    if (laneOfWarp() == kWarpLanes - 1) warpSums[warpOfBlock()] = sum;
    __syncthreads();
    const uint32_t upToWarp = inclusiveSumOfWarp(warpSums[laneOfWarp()]);
    const uint32_t lowerWarps = __shfl_sync(kAllLanes, upToWarp, static_cast<int>(warpOfBlock() + kWarpLanes - 1));
    const uint32_t ofTile = __shfl_sync(kAllLanes, upToWarp, kWarpLanes - 1);
    if (i < count) counts[i] = before + (warpOfBlock() == 0 ? 0 : lowerWarps) + sum - own;
    before += ofTile;
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = before;
}

__global__ void __launch_bounds__(kSequenceThreads)
    moveEqualSequences(const Chunk<kShuffledWidth>* chunks, Sequences sequences, const uint32_t* firsts,
                       uint32_t* output) {
  const uint32_t chunkCount = sequences.length / kShuffledWidth;
  const Chunk<kShuffledWidth>* own = chunks + warpOfGrid() * chunkCount + laneOfWarp();
  uint32_t first = firsts[warpOfGrid()];
  for (uint32_t step = 0; step < chunkCount; step += kWarpLanes) {
    const Chunk<kShuffledWidth> keys = own[step];
    const uint32_t kept = countKept(keys);
    const uint32_t sum = inclusiveSumOfWarp(kept);
    uint32_t place = first + sum - kept;
    for (const uint32_t key : keys.words)
      if (key != 0) output[place++] = key;
    first += __shfl_sync(kAllLanes, sum, kWarpLanes - 1);
  }
}

}  // namespace bench::literature
