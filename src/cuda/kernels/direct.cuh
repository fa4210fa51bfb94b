// Records of 4 bytes that decide for themselves, written as records, unordered, where blocks get little shared memory:
// survivors leave from registers, those in the same place of every lane's group together. Such stores are dense, yet
// seldom whole lines.
#pragma once

#include "narrow.cuh"

namespace slu::cuda {

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
  uint ofWarp = 0;  // the place of the warp's first survivor within the tile

  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kRecords);
    loadRows<T>(records, min(inputs - tile * T::kRecords, T::kRecords), frame.wideLive != 0, rows);
  };
  const auto rank = [&](uint, uint) {
    flags = liveFlags<T>(liveLimit, rows);
    const uint sum = sumOfWarp(countBits(flags));
    if (laneOfWarp() == 0) counts[warpOfBlock()] = sum;
    __syncthreads();
    uint total = 0;
    SLU_UNROLL
    for (uint warp = 0; warp < T::kWarps; ++warp) {
      ofWarp = warp == warpOfBlock() ? total : ofWarp;
      total += counts[warp];
    }
    return total;
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
        const bool isKept = (flags >> (row * T::kGroup + i) & 1u) != 0;
        const uint votes = __ballot_sync(kFullWarp, isKept);
        const uint place = next + countBits(votes & lanesBelow());
        if (isKept && place < fitting) output[place] = words[i];
        next += countBits(votes);
      }
    }
  };
  compactUnordered(arguments, tileCount, gridDim.x, slot, fetch, rank, stage, emit);
}

}  // namespace slu::cuda
