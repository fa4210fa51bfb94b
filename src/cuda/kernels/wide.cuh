// Records of 1, 2 or 4 quads (16 bytes) that decide for themselves, written as records: neighbouring lanes hold a record
// between them, vote on it, and move it through shared memory. Each record is read once, the rejected ones too: memory
// hands out 64 bytes at a time, so that skipping them would save little and cost a second round trip.
#pragma once

#include "load.cuh"
#include "lookback.cuh"

namespace slu::cuda {

// A tile of quads, 4 rows of one per thread.
using QuadTile = Tile<kThreads, 4, 1>;
static_assert(QuadTile::kRecords == kQuadTileQuads);

// Bit per word of the thread's quad: the live test reads it.
template <uint kQuads>
__device__ __forceinline__ uint testedWords(const FrameBlock& frame) {
  const uint first = laneOfWarp() % kQuads * 4;
  uint mask = 0;
  SLU_UNROLL
  for (uint i = 0; i < 4; ++i) {
    if (first + i - frame.liveOffset < max(frame.liveWords, 1u)) mask |= 1u << i;  // 0: a test of one word
  }
  return mask;
}

// Whether the lanes' record is kept, and how many are in the lanes below and in the warp.
struct RecordVote {
  bool isKept;
  uint below;
  uint total;
};

template <uint kQuads>
__device__ __forceinline__ RecordVote voteOnRecord(bool isLive) {
  const uint firstLane = laneOfWarp() - laneOfWarp() % kQuads;
  const uint below = (1u << firstLane) - 1u;
  const uint votes = __ballot_sync(kFullWarp, isLive);
  if constexpr (kQuads == 1) return {isLive, countBits(votes & below), countBits(votes)};
  const bool isKept = (votes >> firstLane & ((1u << kQuads) - 1u)) != 0;
  const uint records = __ballot_sync(kFullWarp, isKept && laneOfWarp() == firstLane);
  return {isKept, countBits(records & below), countBits(records)};
}

template <bool kStable, uint kQuads>
__global__ void __launch_bounds__(kThreads, residentBlocks(kStable ? kWideStableBlocks : kWideBlocks))
    compactWide(const __grid_constant__ Arguments arguments) {
  using T = QuadTile;
  constexpr uint kRecords = T::kRecords / kQuads;
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(uint4, staged, (kStable ? 2 : 1) * T::kRecords);
  SLU_SHARED_ARRAY(uint, slots, 3);

  const FrameBlock& frame = arguments.frame;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, kRecords);
  const bool isAligned = frame.copyWords == 4;
  uint4 rows[T::kRows];
  uint rowRanks[T::kRows];
  uint flags = 0;

  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kRecords * 4);
    loadRows<T>(records, min(inputs - tile * kRecords, kRecords) * kQuads * 4, isAligned, rows);
    // A tile that some block takes a round from now; the last one may be short.
    if (kStable && tile + gridDim.x < tileCount - 1) {
      prefetchRows<T>(records + static_cast<u64>(gridDim.x) * T::kRecords * 4);
    }
  };
  const auto rank = [&](uint) {
    const uint tested = testedWords<kQuads>(frame);
    uint totals[T::kRows];
    flags = 0;
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      const bool isLive = (liveMask(arguments.plan.liveLimit, rows[row]) & tested) != 0;
      const RecordVote vote = voteOnRecord<kQuads>(isLive);
      if (vote.isKept) flags |= 1u << row;
      rowRanks[row] = vote.below;
      totals[row] = vote.total;
    }
    return device::rankRows<T>(totals, rowRanks, &counts[0]);
  };
  const auto stage = [&](uint buffer) {
    const auto target = &staged[buffer * T::kRecords];
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      if ((flags >> row & 1u) != 0) target[rowRanks[row] * kQuads + laneOfWarp() % kQuads] = rows[row];
    }
  };
  const auto emit = [&](uint buffer, uint, uint kept, uint first) {
    const uint capacity = arguments.plan.bucket.capacity;
    const uint fitting = first < capacity ? min(kept, capacity - first) : 0;
    const u64 firstQuad = (static_cast<u64>(blockIdx.y) * frame.outputsPerView + first) * kQuads;
    const auto source = &staged[buffer * T::kRecords];
    // Begins below 0, so that each warp stores lines that it has for itself.
    const int shift = static_cast<int>(firstQuad % 8);
    for (int k = static_cast<int>(threadIdx.x) - shift; k < static_cast<int>(fitting * kQuads); k += T::kThreads) {
      if (k < 0) continue;
      const uint4 quad = source[k];
      if (isAligned) {
        at<uint4>(frame.keptRecords, firstQuad)[k] = quad;
      } else {
        uint* output = at<uint>(frame.keptRecords, 4 * firstQuad) + 4 * k;
        output[0] = quad.x;
        output[1] = quad.y;
        output[2] = quad.z;
        output[3] = quad.w;
      }
    }
  };
  if constexpr (kStable) {
    compactStable<T>(arguments, tileCount, slots, sums, fetch, rank, stage, emit);
  } else {
    compactUnordered(arguments, tileCount, slots, fetch, rank, stage, emit);
  }
}

}  // namespace slu::cuda
