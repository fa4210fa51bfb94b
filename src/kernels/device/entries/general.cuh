// Compacts by any predicate into one bucket: survivors are listed in shared memory, and the whole block copies them. For
// lists of rejects, survivors are what is rejected.
#pragma once

#include "../steps/candidates.cuh"
#include "../steps/emit.cuh"
#include "../steps/lookback.cuh"

namespace slu::cuda {

// Compacts the block's tiles of the view, which `blocks` blocks share. taken: see compactStable.
template <bool kStable, typename Test>
__device__ __forceinline__ void compactListed(const Arguments& arguments, uint blocks, const FirstTicket& taken = {}) {
  using T = typename Test::Tile;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  constexpr uint kListed = (kStable ? 2 : 1) * T::kRecords;
  SLU_SHARED_ARRAY(unsigned short, list, kListed + T::kThreads);  // after it, an entry per thread that nothing reads
  SLU_SHARED_ARRAY(u64, slot, 1);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  uint flags = 0;
  uint rowRanks[T::kRows];

  const auto fetch = [](uint) {};
  const auto rank = [&](uint tile, uint) {
    uint rejects[SLU_REJECT_COUNT] = {};
    flags = keptItemsOfTile<T, Test>(arguments, view, tile * T::kRecords, inputs, rejects);
    if constexpr (Test::kCountsRejects) countRejects<Test::kIsScene>(arguments, view, tile, rejects);
    return rankTile<T>(flags, rowRanks, counts);
  };
  const auto stage = [&](uint buffer) {
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      // Items that are not kept are stored to the entries that nothing reads. That costs less than a branch for each.
      const uint place = buffer * T::kRecords + itemRank<T>(flags, rowRanks, item);
      list[(flags >> item & 1) != 0 ? place : kListed + threadIdx.x] = static_cast<unsigned short>(T::localOf(item));
    }
  };
  const auto emit = [&](uint buffer, uint tile, uint kept, uint first) {
    const uint fitting = fittingOf(arguments, first, kept);
    emitTile(
        arguments, view, tile * T::kRecords, fitting,
        [&](uint k) { return static_cast<uint>(list[buffer * T::kRecords + k]); }, [&](uint k) { return first + k; },
        [] {});
  };
  if constexpr (kStable) {
    compactStable<T, true, Waiting::inShared, Test::kIsScene>(arguments, tileCount, slot, sums, fetch, rank, stage,
                                                              emit, taken);
  } else {
    compactUnordered<T::kThreads, Test::kIsScene>(arguments, tileCount, blocks, slot, fetch, rank, stage, emit);
  }
}

// Compacts the candidates of a view, in any order. Its blocks share the batches.
template <typename Test>
__device__ __forceinline__ void compactCandidates(const Arguments& arguments) {
  using T = typename Test::Tile;
  assumeFlatBlock();
  constexpr uint kListed = Batches<T, Test>::kMostRecords;
  SLU_SHARED_ARRAY(unsigned short, list, kListed);
  SLU_SHARED_ARRAY(uint, listed, Listed::kWords);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const uint view = blockIdx.y;
  const uint inputs = inputCount(arguments.frame);
  const Batches<T, Test> batches(arguments, inputs);
  const auto rank = [&](uint batch, uint) {
    const auto evaluate = [&](const uint(&indices)[T::kItems], const uint(&)[T::kItems],
                              uint(&rejects)[SLU_REJECT_COUNT]) {
      return keptItemsOf<Test>(arguments, view, indices, inputs, rejects);
    };
    return listKept<T, Test, unsigned short>(arguments, view, inputs, batches, batch, list, listed, evaluate);
  };
  const auto emit = [&](uint, uint batch, uint kept, uint first) {
    emitTile(
        arguments, view, batches.begin(batch), fittingOf(arguments, first, kept),
        [&](uint k) { return batches.offsetOf(list[k]); }, [&](uint k) { return first + k; }, [] {});
  };
  const auto fetch = [](uint) {};
  const auto stage = [](uint) {};
  compactUnordered<T::kThreads, Test::kIsScene>(arguments, batches.count(), gridDim.x, slot, fetch, rank, stage, emit);
}

template <uint kBlocks, bool kStable, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactGeneral(const __grid_constant__ Arguments arguments) {
  if constexpr (Test::kListsCandidates) {
    compactCandidates<Test>(arguments);
  } else {
    compactListed<kStable, Test>(arguments, gridDim.x);
  }
}

}  // namespace slu::cuda
