// Moves records of 8, 16, 32, 48 and 64 bytes. Neighbouring lanes hold a record together, vote on it, and move it
// through shared memory. Rejected records are read, too: memory is read in pieces of 64 bytes, so skipping them would
// save little and cost a second round trip.
#pragma once

#include <type_traits>

#include "../platform/tiles.h"
#include "../steps/load.cuh"
#include "../steps/lookback.cuh"

namespace slu::cuda {

// A tile of records of kUnits units of kWords words, with a unit per lane. Lanes at the end of a warp that hold no
// whole record are idle.
template <uint kWords, uint kUnits, uint kBlockThreads = kThreads, uint kUnitRows = wideRows(kWords)>
struct WideTile : Tile<kBlockThreads, kUnitRows> {
  using Rows = Tile<kBlockThreads, kUnitRows>;
  using Unit = std::conditional_t<kWords == 4, uint4, uint2>;
  static constexpr uint kLanes = kWarp / kUnits * kUnits;
  static constexpr uint kTileUnits = Rows::kRows * Rows::kWarps * kLanes;
  static constexpr uint kTileWords = kTileUnits * kWords;
  static constexpr uint kRecords = kTileUnits / kUnits;
  static constexpr uint kUnitsOfRecord = kUnits;
  static constexpr bool kIsUsual = kBlockThreads == kThreads && kUnitRows == wideRows(kWords);
  static_assert(!kIsUsual || kRecords == wideTileRecords(kWords, kUnits));
  static_assert((1u << 31) / kRecords <= 1u << (64 - kKeptBits), "too many tiles for ViewProgress");

  // Returns the number, within the tile, of the thread's unit of a row.
  __device__ static __forceinline__ uint unitOf(uint row) {
    return (warpOfBlock() * Rows::kRows + row) * kLanes + laneOfWarp();
  }
  __device__ static __forceinline__ bool isIdle() { return laneOfWarp() >= kLanes; }
  // isFirstUnit returns whether the thread's units are the first ones of their records. firstWord returns the word of
  // the record with which they begin.
  __device__ static __forceinline__ bool isFirstUnit() { return laneOfWarp() % kUnits == 0; }
  __device__ static __forceinline__ uint firstWord() { return laneOfWarp() % kUnits * kWords; }
};

// Loads the thread's units of a tile of `present` records. Units beyond these consist of `dead` words.
template <typename T>
__device__ __forceinline__ void loadTile(const uint* records, uint present, bool isAligned, uint dead,
                                         typename T::Unit (&rows)[T::kRows]) {
  const uint first = unforeseen(T::unitOf(0));
  const uint* own = records + first * (sizeof(typename T::Unit) / 4);
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    rows[row] = unitOf<typename T::Unit>(dead);
    const bool isPresent = !T::isIdle() && first + row * T::kLanes < present * T::kUnitsOfRecord;
    if (isPresent) rows[row] = loadUnit<typename T::Unit>(own, row * T::kLanes, isAligned);
  }
}

// Returns which words of the thread's unit the live test reads, a bit each.
template <typename T>
__device__ __forceinline__ uint testedWords(const FrameBlock& frame) {
  uint mask = 0;
  SLU_UNROLL
  for (uint i = 0; i < sizeof(typename T::Unit) / 4; ++i) {
    if (T::firstWord() + i - frame.liveOffset < max(frame.liveWords, 1u)) mask |= 1u << i;  // 0: a test of one word
  }
  return T::isIdle() ? 0 : mask;
}

// Whether the record of the lanes is kept, and how many kept records the lower lanes and the whole warp hold.
struct RecordVote {
  bool isKept;
  uint below;
  uint total;
};

// Returns the first of the lanes that hold the record.
template <uint kUnits>
__device__ __forceinline__ uint firstLaneOfRecord() {
  return laneOfWarp() - laneOfWarp() % kUnits;
}

// Returns whether one of the record's lanes has voted for it. votes: of the warp.
template <uint kUnits>
__device__ __forceinline__ bool anyOfRecord(uint votes) {
  return (votes >> firstLaneOfRecord<kUnits>() & ((1u << kUnits) - 1u)) != 0;
}

template <uint kUnits>
__device__ __forceinline__ RecordVote voteOnRecord(bool isLive) {
  const uint firstLane = firstLaneOfRecord<kUnits>();
  const uint below = (1u << firstLane) - 1u;
  const uint votes = __ballot_sync(kFullWarp, isLive);
  if constexpr (kUnits == 1) return {isLive, countBits(votes & below), countBits(votes)};
  const bool isKept = anyOfRecord<kUnits>(votes);
  const uint records = __ballot_sync(kFullWarp, isKept && laneOfWarp() == firstLane);
  return {isKept, countBits(records & below), countBits(records)};
}

// Compacts the block's tiles of the view, which `blocks` blocks share. taken: see compactStable.
template <bool kStable, typename T>
__device__ __forceinline__ void compactWhole(const Arguments& arguments, uint blocks, const FirstTicket& taken = {}) {
  using Unit = typename T::Unit;
  constexpr uint kUnits = T::kUnitsOfRecord;
  constexpr uint kWords = sizeof(Unit) / 4;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(Unit, staged, (kStable ? 2 : 1) * T::kTileUnits);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const FrameBlock& frame = arguments.frame;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  const bool isAligned = frame.copyWords >= kWords;
  Unit rows[T::kRows];
  uint rowRanks[T::kRows];
  uint flags = 0;

  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kTileWords);
    loadTile<T>(records, min(inputs - tile * T::kRecords, T::kRecords), isAligned, arguments.plan.deadWord, rows);
  };
  const auto rank = [&](uint, uint) {
    const uint tested = testedWords<T>(frame);
    uint totals[T::kRows];
    flags = 0;
    withWordTest(arguments, [&](const auto& isLive) {
      SLU_UNROLL
      for (uint row = 0; row < T::kRows; ++row) {
        const RecordVote vote = voteOnRecord<kUnits>((liveMask(isLive, rows[row]) & tested) != 0);
        if (vote.isKept) flags |= 1u << row;
        rowRanks[row] = vote.below;
        totals[row] = vote.total;
      }
    });
    return device::rankRows<T>(totals, rowRanks, &counts[0]);
  };
  const auto stage = [&](uint buffer) {
    const auto target = &staged[buffer * T::kTileUnits];
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      if ((flags >> row & 1u) != 0) target[rowRanks[row] * kUnits + laneOfWarp() % kUnits] = rows[row];
    }
  };
  const auto emit = [&](uint buffer, uint, uint kept, uint first) {
    const uint fitting = fittingOf(arguments, first, kept);
    const u64 firstUnit = (static_cast<u64>(blockIdx.y) * frame.outputsPerView + first) * kUnits;
    const auto source = &staged[buffer * T::kTileUnits];
    Unit* output = at<Unit>(frame.keptRecords, firstUnit);
    int k = static_cast<int>(threadIdx.x - unitsIntoLine(output));
    for (; k < static_cast<int>(fitting * kUnits); k += T::kThreads) {
      if (k < 0) continue;
      const Unit unit = source[k];
      storeUnit(output + k, unit, isAligned);
    }
  };
  if constexpr (kStable) {
    compactStable<T>(arguments, tileCount, slot, sums, fetch, rank, stage, emit, taken);
  } else {
    compactUnordered<T::kThreads>(arguments, tileCount, blocks, slot, fetch, rank, stage, emit);
  }
}

template <uint kBlocks, bool kStable, uint kWords, uint kUnits>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactWide(const __grid_constant__ Arguments arguments) {
  compactWhole<kStable, WideTile<kWords, kUnits>>(arguments, gridDim.x);
}

}  // namespace slu::cuda
