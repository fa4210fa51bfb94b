// Step 2, rank: finds the place of each item among the flagged items of a tile, in record order. The functions that do
// the work are public (sluice/device.cuh).
#pragma once

#include "../platform/platform.cuh"

namespace slu::cuda {

using device::Tile;

// Finds the rank of the thread's first item in each row. itemRank returns the ranks of the others. Returns how many
// items of the tile are flagged. All threads of the block call this. flags: a bit per item. counts: T::kCounts words of
// shared memory, free on entry. A barrier must follow before they are used again.
template <typename T, typename Counts>
__device__ __forceinline__ uint rankTile(uint flags, uint (&rowRanks)[T::kRows], Counts& counts) {
  const device::TileRanks<T> ranks = device::rankTile<T>(flags, &counts[0]);
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) rowRanks[row] = ranks.rows[row];
  return ranks.total;
}

// Returns how many items of the tile are flagged. sum: how many of the warp are. ofWarp: the rank of the warp's first
// item. counts: as for rankTile.
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
