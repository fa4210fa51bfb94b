// Moves records of 4 bytes. They stay in registers until their ranks are known, and are stored in order through shared
// memory. So each is read once, and the stores are whole lines.
//
// A row is 4 records per thread. Many rows keep loads in flight and atomics few. One row, and small blocks, spread a
// small frame over more multiprocessors.
#pragma once

#include "../steps/load.cuh"
#include "../steps/lookback.cuh"

namespace slu::cuda {

template <uint kRows, uint kBlockThreads = kThreads>
using NarrowTile = Tile<kBlockThreads, kRows, 4>;
static_assert(NarrowTile<8>::kRecords == kLargeTileRecords && NarrowTile<1>::kRecords == kSmallTileRecords);
static_assert(NarrowTile<4, kMediumThreads>::kRecords == kMediumTileRecords);
static_assert(NarrowTile<4>::kRecords == kNarrowTileRecords);

// Neighbouring lanes write to places that are about four words apart. A word of padding after every 32 words avoids
// bank conflicts.
__device__ __forceinline__ uint padded(uint place) { return place + place / kWarp; }

// Stores the first `count` of the staged words in their order.
template <typename T, typename Words>
__device__ __forceinline__ void storeStaged(uint* output, const Words& staged, uint count) {
  constexpr int kFlight = 2;  // words that a thread has in flight
  constexpr int kStep = T::kThreads, kStagedStep = T::kThreads + T::kWarps;
  int first = static_cast<int>(threadIdx.x - unitsIntoLine(output));  // below 0: not to be stored
  int place = first + (first >> 5);                                   // as `padded` has it
  uint* to = output + first;
  for (; first < static_cast<int>(count); first += kFlight * kStep) {
    uint words[kFlight];
    SLU_UNROLL
    for (int i = 0; i < kFlight; ++i) {
      if (static_cast<uint>(first + i * kStep) < count) words[i] = staged[place + i * kStagedStep];
    }
    SLU_UNROLL
    for (int i = 0; i < kFlight; ++i) {
      if (static_cast<uint>(first + i * kStep) < count) to[i * kStep] = words[i];
    }
    place += kFlight * kStagedStep;
    to += kFlight * kStep;
  }
}

// Returns which of the thread's words are live, a bit each.
template <typename T>
__device__ __forceinline__ uint liveFlags(const Arguments& arguments, const uint4 (&rows)[T::kRows]) {
  return withWordTest(arguments, [&](const auto& isLive) {
    uint flags = 0;
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) flags |= liveMask(isLive, rows[row]) << (row * T::kGroup);
    return flags;
  });
}

// Ranks in any order: the survivors of a thread are consecutive, whichever rows they come from. first: the rank of the
// thread's first one. Returns how many records the tile keeps. counts: as for rankTile.
template <typename T, typename Counts>
__device__ __forceinline__ uint rankThreads(uint flags, uint& first, Counts& counts) {
  const uint own = countBits(flags);
  const uint below = exclusiveSumOfWarp(own);
  const uint total = rankWarps<T>(sumOfWarp(own), counts, first);
  first += below;
  return total;
}

template <uint kBlocks, bool kStable, uint kRows, uint kBlockThreads>
__global__ void __launch_bounds__(kBlockThreads, residentBlocks(kBlocks, kBlockThreads))
    compactNarrow(const __grid_constant__ Arguments arguments) {
  using T = NarrowTile<kRows, kBlockThreads>;
  static_assert(kBlockThreads == (!kStable && kRows == 4 ? kMediumThreads : kThreads));
  constexpr uint kBufferWords = T::kRecords + T::kRecords / kWarp;
  constexpr bool kRanksThreads = !kStable && kRows > 1;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(uint, staged, (kStable ? 2 : 1) * kBufferWords);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const FrameBlock& frame = arguments.frame;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  uint4 rows[T::kRows] = {};
  uint flags = 0;
  uint rowRanks[T::kRows];

  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kRecords);
    loadRows<T>(records, min(inputs - tile * T::kRecords, T::kRecords), frame.wideLive != 0, arguments.plan.deadWord,
                rows);
  };
  const auto rank = [&](uint, uint) {
    flags = liveFlags<T>(arguments, rows);
    if constexpr (kRanksThreads) return rankThreads<T>(flags, rowRanks[0], counts);
    return rankTile<T>(flags, rowRanks, counts);
  };
  const auto stage = [&](uint buffer) {
    const auto target = &staged[buffer * kBufferWords];
    uint place = rowRanks[0];
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      if (!kRanksThreads) place = rowRanks[row];
      const uint words[] = {rows[row].x, rows[row].y, rows[row].z, rows[row].w};
      SLU_UNROLL
      for (uint i = 0; i < T::kGroup; ++i) {
        if ((flags >> (row * T::kGroup + i) & 1u) != 0) target[padded(place++)] = words[i];
      }
    }
  };
  const auto emit = [&](uint buffer, uint, uint kept, uint first) {
    const uint fitting = fittingOf(arguments, first, kept);
    uint* output = at<uint>(frame.keptRecords, static_cast<u64>(blockIdx.y) * frame.outputsPerView + first);
    storeStaged<T>(output, &staged[buffer * kBufferWords], fitting);
  };
  if constexpr (kStable) {
    compactStable<T, (kRows > 1)>(arguments, tileCount, slot, sums, fetch, rank, stage, emit);
  } else {
    compactUnordered<T::kThreads>(arguments, tileCount, gridDim.x, slot, fetch, rank, stage, emit);
  }
}

}  // namespace slu::cuda
