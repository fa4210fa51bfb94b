// Compacts the records of all buckets of a view into one list, with a draw command for each of them
// (SLU_PLACEMENT_MERGED). Survivors are listed in shared memory with their buckets, which only say what draws them.
#pragma once

#include "../steps/commands.cuh"
#include "../steps/emit.cuh"
#include "../steps/evaluate.cuh"
#include "../steps/lookback.cuh"

namespace slu::cuda {

// Compacts the block's tiles of the view.
template <uint kBlocks, bool kStable, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactMerged(const __grid_constant__ Arguments arguments) {
  using T = typename Test::Tile;
  static_assert(T::kRecords <= 1u << SLU_LOCAL_BITS);
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(uint, list, (kStable ? 2 : 1) * T::kRecords);
  SLU_SHARED_ARRAY(uint, staged, kStagedCommandWords);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const uint view = blockIdx.y;
  const uint inputs = inputCount(arguments.frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  uint buckets[T::kItems];
  uint rowRanks[T::kRows];

  const auto fetch = [](uint) {};
  const auto rank = [&](uint tile, uint) {
    uint rejects[SLU_REJECT_COUNT] = {};
    evaluateTile<T, Test>(arguments, view, tile * T::kRecords, inputs, buckets, rejects);
    countRejects<Test::kIsScene>(arguments, view, tile, rejects);
    return rankTile<T>(keptFlags(buckets), rowRanks, counts);
  };
  const auto stage = [&](uint buffer) {
    const uint flags = keptFlags(buckets);
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if ((flags >> item & 1) == 0) continue;
      list[buffer * T::kRecords + itemRank<T>(flags, rowRanks, item)] = entryOf(buckets[item], T::localOf(item));
    }
  };
  const auto emit = [&](uint buffer, uint tile, uint kept, uint first) {
    const uint fitting = fittingOf(arguments, first, kept);
    const uint tileBase = tile * T::kRecords;
    const auto entries = [&](uint k) { return static_cast<uint>(list[buffer * T::kRecords + k]); };
    emitTile(
        arguments, view, tileBase, fitting, [&](uint k) { return localOfEntry(entries(k)); },
        [&](uint k) { return first + k; }, [] {});
    emitCommands<Test::kIsScene>(arguments, view, tileBase, first, fitting, entries, staged);
  };
  if constexpr (kStable) {
    compactStable<T, true, Waiting::inShared, Test::kIsScene, true>(arguments, tileCount, slot, sums, fetch, rank,
                                                                    stage, emit);
  } else {
    compactUnordered<T::kThreads, Test::kIsScene, true>(arguments, tileCount, gridDim.x, slot, fetch, rank, stage,
                                                        emit);
  }
}

}  // namespace slu::cuda
