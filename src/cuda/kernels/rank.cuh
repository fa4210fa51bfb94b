// Step 2, rank: the place of each item among the flagged items of a tile, in record order, by ballots and popcounts.
#pragma once

#include "platform.cuh"

namespace slu::cuda {

// The shape of a tile: Rows rows of Group consecutive records for each of Threads threads. Item i of a thread is
// position i % Group of its group in row i / Group.
template <uint Threads, uint Rows, uint Group>
struct Tile {
  static constexpr uint kThreads = Threads;
  static constexpr uint kRows = Rows;
  static constexpr uint kGroup = Group;
  static constexpr uint kItems = Rows * Group;
  static constexpr uint kRecords = Threads * kItems;
  static constexpr uint kWarps = Threads / kWarp;
  static constexpr uint kCounts = Rows * kWarps;  // ballot totals, row by row
  static_assert(Threads % kWarp == 0 && kCounts <= 4 * kWarp);

  // The first record of the thread's group in a row, within the tile.
  __device__ static __forceinline__ uint firstOf(uint row) { return (row * Threads + threadIdx.x) * Group; }
  __device__ static __forceinline__ uint localOf(uint item) { return firstOf(item / Group) + item % Group; }
};

// Sum over the lower lanes of the warp (Hillis and Steele 1986).
__device__ __forceinline__ uint exclusiveSumOfWarp(uint value) {
  uint inclusive = value;
  for (uint distance = 1; distance < kWarp; distance *= 2) {
    const uint lower = __shfl_up_sync(kFullWarp, inclusive, distance);
    if (laneOfWarp() >= distance) inclusive += lower;
  }
  return inclusive - value;
}

__device__ __forceinline__ uint sumOfWarp(uint value) {
  for (uint distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(kFullWarp, value, static_cast<int>(distance));
  return value;
}

// The rank of each thread's first item in each row: the flagged items before it in the tile. itemRank gives the others.
// Returns the tile's total. All threads of the block take part. flags: bit per item. counts: T::kCounts in shared
// memory, free on entry.
template <typename T, typename Counts>
__device__ __forceinline__ uint rankTile(uint flags, uint (&rowRanks)[T::kRows], Counts& counts) {
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    uint below = 0;
    uint total = 0;
    SLU_UNROLL
    for (uint j = 0; j < T::kGroup; ++j) {
      const uint votes = __ballot_sync(kFullWarp, (flags >> (row * T::kGroup + j) & 1u) != 0);
      below += countBits(votes & lanesBelow());
      total += countBits(votes);
    }
    rowRanks[row] = below;
    if (laneOfWarp() == 0) counts[row * T::kWarps + warpOfBlock()] = total;
  }
  __syncthreads();

  // Each warp scans all counts for itself, a lane kPerLane neighbours, which spares a second barrier.
  constexpr uint kPerLane = (T::kCounts + kWarp - 1) / kWarp;
  uint before[kPerLane];
  uint sum = 0;
  SLU_UNROLL
  for (uint i = 0; i < kPerLane; ++i) {
    const uint entry = laneOfWarp() * kPerLane + i;
    before[i] = sum;
    if (entry < T::kCounts) sum += counts[entry];
  }
  const uint lanesBefore = exclusiveSumOfWarp(sum);
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint entry = row * T::kWarps + warpOfBlock();
    SLU_UNROLL
    for (uint i = 0; i < kPerLane; ++i) {
      const uint candidate = __shfl_sync(kFullWarp, lanesBefore + before[i], static_cast<int>(entry / kPerLane));
      if (entry % kPerLane == i) rowRanks[row] += candidate;
    }
  }
  return __shfl_sync(kFullWarp, lanesBefore + sum, kWarp - 1);
}

template <typename T>
__device__ __forceinline__ uint itemRank(uint flags, const uint (&rowRanks)[T::kRows], uint item) {
  const uint row = item / T::kGroup;
  const uint group = flags >> (row * T::kGroup);
  return rowRanks[row] + countBits(group & ((1u << item % T::kGroup) - 1u));
}

}  // namespace slu::cuda
