// Step 2, rank: the place of each item among the flagged items of a tile, in record order. The building blocks are
// those of the public header.
#pragma once

#include "../platform/platform.cuh"

namespace slu::cuda {

using device::Tile;

// The rank of each thread's first item in each row; itemRank gives the others. Returns the tile's total. All threads of
// the block take part. flags: bit per item. counts: T::kCounts in shared memory, free on entry; another barrier must
// follow before they are used again.
template <typename T, typename Counts>
__device__ __forceinline__ uint rankTile(uint flags, uint (&rowRanks)[T::kRows], Counts& counts) {
  const device::TileRanks<T> ranks = device::rankTile<T>(flags, &counts[0]);
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) rowRanks[row] = ranks.rows[row];
  return ranks.total;
}

// The tile's flagged items, of which each warp has `sum`. ofWarp: the rank of the warp's first. counts: as above.
template <typename T, typename Counts>
__device__ __forceinline__ uint rankWarps(uint sum, Counts& counts, uint& ofWarp) {
  uint firsts[] = {0};
  const uint total = device::rankRows<Tile<T::kThreads, 1, T::kGroup>>({sum}, firsts, &counts[0]);
  ofWarp = firsts[0];
  return total;
}

template <typename T>
__device__ __forceinline__ uint itemRank(uint flags, const uint (&rowRanks)[T::kRows], uint item) {
  const uint row = item / T::kGroup;
  const uint group = flags >> (row * T::kGroup);
  return rowRanks[row] + countBits(group & ((1u << item % T::kGroup) - 1u));
}

}  // namespace slu::cuda
