// Compacts the records of all buckets of a view into one list, with a draw command for each of them
// (SLU_PLACEMENT_MERGED). Survivors are listed in shared memory with their buckets, which only say what draws them.
#pragma once

#include "../steps/candidates.cuh"
#include "../steps/commands.cuh"
#include "../steps/emit.cuh"
#include "../steps/lookback.cuh"

namespace slu::cuda {

// Emits the kept records of a tile, which begins with record `begin`, from place `first` of the view on. list(k): the entry of
// the k-th record. offsetOf(entry): how far from `begin` its record lies. staged: as for emitCommands.
template <bool kIsScene, typename List, typename OffsetOf, typename Staged>
__device__ __forceinline__ void emitMerged(const Arguments& arguments, uint view, uint begin, uint first, uint fitting,
                                           const List& list, const OffsetOf& offsetOf, Staged& staged) {
  emitTile(
      arguments, view, begin, fitting, [&](uint k) { return offsetOf(list(k)); }, [&](uint k) { return first + k; },
      [] {});
  emitCommands<kIsScene>(arguments, view, begin, first, fitting, list, offsetOf, staged);
}

// Compacts the block's tiles of the view.
template <bool kStable, typename Test>
__device__ __forceinline__ void compactMergedTiles(const Arguments& arguments) {
  using T = typename Test::Tile;
  static_assert(T::kRecords <= 1u << SLU_LOCAL_BITS);
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
    const auto entries = [&](uint k) { return static_cast<uint>(list[buffer * T::kRecords + k]); };
    emitMerged<Test::kIsScene>(arguments, view, tile * T::kRecords, first, fitting, entries, localOfEntry, staged);
  };
  if constexpr (kStable) {
    compactStable<T, true, Waiting::inShared, Test::kIsScene, true>(arguments, tileCount, slot, sums, fetch, rank,
                                                                    stage, emit);
  } else {
    compactUnordered<T::kThreads, Test::kIsScene, true>(arguments, tileCount, gridDim.x, slot, fetch, rank, stage,
                                                        emit);
  }
}

// Compacts the candidates of a view, in any order. Its blocks share the batches.
template <typename Test>
__device__ __forceinline__ void compactMergedCandidates(const Arguments& arguments) {
  using T = typename Test::Tile;
  constexpr uint kListed = Batches<T, Test>::kMostRecords;
  static_assert(kListed <= 1u << SLU_LOCAL_BITS);
  SLU_SHARED_ARRAY(uint, list, kListed);
  SLU_SHARED_ARRAY(uint, listed, Listed::kWords);
  SLU_SHARED_ARRAY(uint, staged, kStagedCommandWords);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const uint view = blockIdx.y;
  const uint inputs = inputCount(arguments.frame);
  const Batches<T, Test> batches(arguments, inputs);
  const auto rank = [&](uint batch, uint) {
    const auto evaluate = [&](const uint(&indices)[T::kItems], uint(&entries)[T::kItems],
                              uint(&rejects)[SLU_REJECT_COUNT]) {
      uint buckets[T::kItems];
      evaluateEarly<Test>(arguments, view, indices, inputs, buckets, rejects);
      if (leavesKeysOut<Test>(arguments)) applyKeys<Test>(arguments, indices, buckets);
      SLU_UNROLL
      for (uint item = 0; item < T::kItems; ++item) entries[item] = entryOf(buckets[item], entries[item]);
      return keptFlags(buckets);
    };
    return listKept<T, Test, uint>(arguments, view, inputs, batches, batch, list, listed, evaluate);
  };
  const auto emit = [&](uint, uint batch, uint kept, uint first) {
    emitMerged<Test::kIsScene>(
        arguments, view, batches.begin(batch), first, fittingOf(arguments, first, kept),
        [&](uint k) { return static_cast<uint>(list[k]); },
        [&](uint entry) { return batches.offsetOf(localOfEntry(entry)); }, staged);
  };
  const auto fetch = [](uint) {};
  const auto stage = [](uint) {};
  compactUnordered<T::kThreads, Test::kIsScene, true>(arguments, batches.count(), gridDim.x, slot, fetch, rank, stage,
                                                      emit);
}

template <uint kBlocks, bool kStable, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactMerged(const __grid_constant__ Arguments arguments) {
  assumeFlatBlock();
  if constexpr (Test::kListsCandidates) {
    compactMergedCandidates<Test>(arguments);
  } else {
    compactMergedTiles<kStable, Test>(arguments);
  }
}

}  // namespace slu::cuda
