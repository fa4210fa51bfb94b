// Records of 4 bytes that decide for themselves, written as records, where blocks get little shared memory: survivors
// leave from registers. Such stores are dense, yet seldom whole lines.
#pragma once

#include "narrow.cuh"

namespace slu::cuda {

// Stores the word of each lane that keeps its own, from place `next` on, which moves on.
__device__ __forceinline__ void storeKept(uint* output, uint fitting, bool isKept, uint word, uint& next) {
  const uint votes = __ballot_sync(kFullWarp, isKept);
  const uint place = next + countBits(votes & lanesBelow());
  if (isKept && place < fitting) output[place] = word;
  next += countBits(votes);
}

// Unordered: those in the same place of every lane's group leave together.
__global__ void __launch_bounds__(kThreads, residentBlocks(kDirectBlocks))
    compactDirect(const __grid_constant__ Arguments arguments) {
  using T = NarrowTile<4>;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const FrameBlock& frame = arguments.frame;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  const uint liveLimit = arguments.plan.liveLimit;
  uint4 rows[T::kRows] = {};
  uint flags = 0;
  uint ofWarp = 0;

  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kRecords);
    loadRows<T>(records, min(inputs - tile * T::kRecords, T::kRecords), frame.wideLive != 0, rows);
  };
  const auto rank = [&](uint, uint) {
    flags = liveFlags<T>(liveLimit, rows);
    return rankWarps<T>(sumOfWarp(countBits(flags)), counts, ofWarp);
  };
  const auto stage = [](uint) {};
  const auto emit = [&](uint, uint, uint kept, uint first) {
    const uint fitting = fittingOf(arguments, first, kept);
    uint* output = at<uint>(frame.keptRecords, static_cast<u64>(blockIdx.y) * frame.outputsPerView + first);
    uint next = ofWarp;
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      const uint words[] = {rows[row].x, rows[row].y, rows[row].z, rows[row].w};
      SLU_UNROLL
      for (uint i = 0; i < T::kGroup; ++i) {
        storeKept(output, fitting, (flags >> (row * T::kGroup + i) & 1u) != 0, words[i], next);
      }
    }
  };
  compactUnordered<T::kThreads>(arguments, tileCount, gridDim.x, slot, fetch, rank, stage, emit);
}

// Stable: a row is a word per lane, so that ballots have the order of the records. Two tiles are in registers, one that
// waits for its prefix and one whose loads are under way.
__global__ void __launch_bounds__(kThreads, residentBlocks(kDirectStableBlocks))
    compactDirectStable(const __grid_constant__ Arguments arguments) {
  using T = NarrowTile<4>;
  constexpr uint kWords = T::kRecords / kThreads;  // per thread
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const FrameBlock& frame = arguments.frame;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  const uint liveLimit = arguments.plan.liveLimit;
  const uint own = warpOfBlock() * kWords * kWarp + laneOfWarp();  // the thread's first word of a tile
  uint words[kWords] = {};
  uint waiting[kWords] = {};
  uint ofWarp = 0;
  uint ofWaiting = 0;

  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kRecords) + own;
    const uint present = min(inputs - tile * T::kRecords, T::kRecords);
    if (present < T::kRecords) {
      SLU_UNROLL
      for (uint i = 0; i < kWords; ++i) words[i] = own + i * kWarp < present ? __ldcg(records + i * kWarp) : 0;
      return;
    }
    SLU_UNROLL
    for (uint i = 0; i < kWords; ++i) words[i] = __ldcg(records + i * kWarp);
    // A tile that some block takes a round from now; the last one may be short.
    if (tile + gridDim.x < tileCount - 1) {
      prefetchWords(records - own + static_cast<u64>(gridDim.x) * T::kRecords, T::kRecords);
    }
  };
  const auto rank = [&](uint, uint) {
    uint sum = 0;
    SLU_UNROLL
    for (uint i = 0; i < kWords; ++i) sum += countBits(__ballot_sync(kFullWarp, wordIsLive(liveLimit, words[i])));
    return rankWarps<T>(sum, counts, ofWarp);
  };
  const auto stage = [&](uint) {
    SLU_UNROLL
    for (uint i = 0; i < kWords; ++i) waiting[i] = words[i];
    ofWaiting = ofWarp;
  };
  const auto emit = [&](uint, uint, uint kept, uint first) {
    const uint fitting = fittingOf(arguments, first, kept);
    uint* output = at<uint>(frame.keptRecords, static_cast<u64>(blockIdx.y) * frame.outputsPerView + first);
    uint next = ofWaiting;
    SLU_UNROLL
    for (uint i = 0; i < kWords; ++i) storeKept(output, fitting, wordIsLive(liveLimit, waiting[i]), waiting[i], next);
  };
  compactStable<T, true, Waiting::inRegisters>(arguments, tileCount, slot, sums, fetch, rank, stage, emit);
}

}  // namespace slu::cuda
