// Records of 4 bytes that decide for themselves, written as records: they stay in registers until their ranks are
// known, and leave through shared memory in order, so that each is read once and the stores are whole lines.
//
// A row is 4 records per thread. Many rows keep loads in flight and atomics few; one row spreads a small frame over
// more multiprocessors.
#pragma once

#include "load.cuh"
#include "lookback.cuh"

namespace slu::cuda {

template <uint kRows>
using NarrowTile = Tile<kThreads, kRows, 4>;
static_assert(NarrowTile<4>::kRecords == kNarrowTileRecords);
static_assert(NarrowTile<1>::kRecords == kSmallTileRecords);

// Four neighbours in a row start four words apart; a word of padding after every bank of them keeps lanes off each
// other's banks.
__device__ __forceinline__ uint padded(uint place) { return place + place / kWarp; }

template <bool kStable, uint kRows>
__global__ void __launch_bounds__(kThreads, residentBlocks(kStable ? kNarrowStableBlocks : kNarrowBlocks))
    compactNarrow(const __grid_constant__ Arguments arguments) {
  using T = NarrowTile<kRows>;
  constexpr uint kBufferWords = T::kRecords + T::kRecords / kWarp;
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(uint, staged, (kStable ? 2 : 1) * kBufferWords);
  SLU_SHARED_ARRAY(uint, slots, 3);

  const FrameBlock& frame = arguments.frame;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  const uint liveLimit = arguments.plan.liveLimit;
  uint4 rows[T::kRows] = {};
  uint flags = 0;
  uint rowRanks[T::kRows];

  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kRecords);
    loadRows<T>(records, min(inputs - tile * T::kRecords, T::kRecords), frame.wideLive != 0, rows);
    // A tile that some block takes a round from now; the last one may be short.
    if (kStable && tile + gridDim.x < tileCount - 1)
      prefetchWords(records + static_cast<u64>(gridDim.x) * T::kRecords, T::kRecords);
  };
  const auto rank = [&](uint, uint) {
    flags = 0;
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) flags |= liveMask(liveLimit, rows[row]) << (row * T::kGroup);
    return rankTile<T>(flags, rowRanks, counts);
  };
  const auto stage = [&](uint buffer) {
    const auto target = &staged[buffer * kBufferWords];
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      uint place = rowRanks[row];
      const uint words[] = {rows[row].x, rows[row].y, rows[row].z, rows[row].w};
      SLU_UNROLL
      for (uint i = 0; i < T::kGroup; ++i) {
        if ((flags >> (row * T::kGroup + i) & 1u) != 0) target[padded(place++)] = words[i];
      }
    }
  };
  const auto emit = [&](uint buffer, uint, uint kept, uint first) {
    const uint capacity = arguments.plan.bucket.capacity;
    const uint fitting = first < capacity ? min(kept, capacity - first) : 0;
    uint* output = at<uint>(frame.keptRecords, static_cast<u64>(blockIdx.y) * frame.outputsPerView + first);
    // Begins below 0, so that each warp stores a line that it has for itself.
    const int shift = static_cast<int>(first % kWarp);
    const auto source = &staged[buffer * kBufferWords];
    for (int k = static_cast<int>(threadIdx.x) - shift; k < static_cast<int>(fitting); k += T::kThreads) {
      if (k >= 0) output[k] = source[padded(static_cast<uint>(k))];
    }
  };
  if constexpr (kStable) {
    compactStable<T, (kRows > 1)>(arguments, tileCount, slots, sums, fetch, rank, stage, emit);
  } else {
    compactUnordered<true>(arguments, tileCount, gridDim.x, slots, fetch, rank, stage, emit);
  }
}

}  // namespace slu::cuda
