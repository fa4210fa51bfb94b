// Moves records of 8, 12, 20, 28 and 36 bytes in any order, in large frames of aligned buffers, on GPUs from sm_90 on.
// A multiprocessor holds one block, which takes tile after tile. Its warps share the work so that none of those that
// test has to wait for memory, for an atomic or for another warp:
//  - One thread copies the next tiles into stages of shared memory (fillStages).
//  - kPipedWarps warps test their part of a tile there, and line up what is kept in a slot. They store it kPipedLag
//    tiles later, when its place in the output is known (testAndStore).
//  - kPipedReservers warps reserve these places (reserveTiles).
//
// No block waits for another, so the blocks need not all be resident.
#pragma once

#include <type_traits>

#include "../platform/pipe.cuh"
#include "../platform/tiles.h"
#include "../steps/load.cuh"
#include "../steps/reserve.cuh"

namespace slu::cuda {

template <uint kWords>
struct PipedTile {
  using Unit = std::conditional_t<kWords % 2 == 0, uint2, uint>;
  static constexpr uint kUnitWords = sizeof(Unit) / 4;
  static constexpr uint kRecordWords = kWords;
  static constexpr uint kUnits = kWords / kUnitWords;  // of a record
  static constexpr uint kRows = pipedRows(kWords);     // records of a thread
  static constexpr uint kRecords = pipedTileRecords(kWords);
  static constexpr uint kTileUnits = kRecords * kUnits;
  static constexpr uint kTileBytes = kTileUnits * sizeof(Unit);
  static constexpr uint kWarpRecords = kRows * kWarp;
  static_assert(kTileBytes % 16 == 0 && kTileBytes < 1u << 20, "for barriers that count its bytes");
  static_assert(kRows >= 1 && (kPipedStages + kPipedSlots) * kTileBytes == pipedSharedBytes(kWords));
  static_assert((1u << 31) / kRecords <= 1u << (64 - kKeptBits), "too many tiles for ViewProgress");

  // Returns the number, within the tile, of the thread's record of a row.
  __device__ static __forceinline__ uint recordOf(uint row) {
    return warpOfBlock() * kWarpRecords + row * kWarp + laneOfWarp();
  }
};

// The memory that the warps of a block share. The block's i-th tile lies in stage i % kPipedStages. Once it is tested, what it
// keeps lies in slot i % kPipedSlots.
template <typename T>
struct Pipe {
  uint inputs;
  uint tileCount;

  SLU_SHARED_POINTER(typename T::Unit) stages;
  SLU_SHARED_POINTER(uint) tiles;  // by stage: the number of the tile; from tileCount on, there is no tile
  SLU_SHARED_POINTER(u64) full;    // by stage: the tile is there
  SLU_SHARED_POINTER(u64) empty;   // by stage: all warps have loaded the tile

  SLU_SHARED_POINTER(typename T::Unit) staged;  // by slot: what each warp keeps, where its records were in the tile
  SLU_SHARED_POINTER(uint) counts;              // by slot and warp: how many records that are, or kNoMoreTiles
  SLU_SHARED_POINTER(u64) counted;              // by slot: the counts are there
  SLU_SHARED_POINTER(uint) firsts;              // by slot and warp: the place in the output
  SLU_SHARED_POINTER(u64) reserved;             // by slot: the places are there
};

constexpr uint kNoMoreTiles = 0xffffffffu;

// One thread calls this. Fills the stages with the block's tiles. The first kPipedStages of them are fixed, and the
// others are drawn from a counter. The next tile is drawn before this thread waits for the stage of the current one.
template <typename T>
__device__ __forceinline__ void fillStages(const Arguments& arguments, const Pipe<T>& pipe) {
  const FrameBlock& frame = arguments.frame;
  uint* drawn = &at<ViewProgress>(frame.progress, blockIdx.y)->drawn;
  uint tile = blockIdx.x;
  for (uint i = 0;; ++i) {
    const uint stage = i % kPipedStages;
    const bool exists = tile < pipe.tileCount;
    uint next = tile + gridDim.x;
    if (exists && i + 1 >= kPipedStages) next = kPipedStages * gridDim.x + atomicAdd(drawn, 1u);
    if (i >= kPipedStages) awaitPhase(pipe.empty + stage, i / kPipedStages - 1);
    pipe.tiles[stage] = tile;
    if ((tile + 1) * T::kRecords <= pipe.inputs) {
      arriveExpecting(pipe.full + stage, T::kTileBytes);
      const auto* units = at<const typename T::Unit>(frame.records, static_cast<u64>(tile) * T::kTileUnits);
      copyBulk(pipe.stages + stage * T::kTileUnits, units, T::kTileBytes, pipe.full + stage);
    } else {
      arriveAt(pipe.full + stage);
    }
    if (!exists) break;
    tile = next;
  }
  // Each block draws until there is no tile for it. So the blocks together draw tileCount - (kPipedStages - 1) *
  // gridDim.x times, and the one that draws last leaves the counter as the next frame needs it.
  if (tile == pipe.tileCount + gridDim.x - 1) *drawn = 0;
}

// Each warp of kPipedReservers calls this with its number, and takes every kPipedReservers-th tile of the block.
// Reserves the places in the output, and publishes after the view's last tile.
template <typename T>
__device__ __forceinline__ void reserveTiles(const Arguments& arguments, const Pipe<T>& pipe, uint number) {
  const uint view = blockIdx.y;
  for (uint i = number;; i += kPipedReservers) {
    const uint slot = i % kPipedSlots;
    awaitPhase(pipe.counted + slot, i / kPipedSlots);
    const uint ofWarp = slot * kPipedWarps + laneOfWarp();
    const bool hasWarp = laneOfWarp() < kPipedWarps;
    const uint count = hasWarp ? static_cast<uint>(pipe.counts[ofWarp]) : 0;
    if (__shfl_sync(kFullWarp, count, 0) == kNoMoreTiles) return;
    const uint below = exclusiveSumOfWarp(count);
    const uint kept = sumOfWarp(count);
    u64 before = 0;
    if (laneOfWarp() == 0) before = reserve(arguments, view, kept, pipe.tileCount);
    const Reservation reserved{__shfl_sync(kFullWarp, before, 0)};
    if (hasWarp) pipe.firsts[ofWarp] = reserved.first() + below;
    __syncwarp();
    if (laneOfWarp() == 0) arriveAt(pipe.reserved + slot);
    if (reserved.isLast(pipe.tileCount)) {
      if (laneOfWarp() == 0) resetProgress(arguments.frame, view);
      publishByWarp(arguments, view, reserved.first() + kept);
    }
  }
}

// A thread's records of a tile, one per row.
template <typename T>
struct PipedRows {
  typename T::Unit units[T::kRows][T::kUnits];
};

template <typename T>
__device__ __forceinline__ void loadRecords(const Arguments& arguments, const Pipe<T>& pipe, uint stage, uint tile,
                                            PipedRows<T>& rows) {
  using Unit = typename T::Unit;
  const FrameBlock& frame = arguments.frame;
  const uint present = min(pipe.inputs - tile * T::kRecords, T::kRecords);
  const Unit* records = at<const Unit>(frame.records, static_cast<u64>(tile) * T::kTileUnits);
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint record = T::recordOf(row);
    SLU_UNROLL
    for (uint i = 0; i < T::kUnits; ++i) {
      if (present == T::kRecords) {
        rows.units[row][i] = pipe.stages[stage * T::kTileUnits + record * T::kUnits + i];
      } else {
        rows.units[row][i] =
            record < present ? __ldcg(records + record * T::kUnits + i) : unitOf<Unit>(arguments.plan.deadWord);
      }
    }
  }
}

// Returns the words of a unit, each under its mask, combined by or.
__device__ __forceinline__ uint wordsOf(uint unit, const uint* masks) { return unit & masks[0]; }
__device__ __forceinline__ uint wordsOf(const uint2& unit, const uint* masks) {
  return (unit.x & masks[0]) | (unit.y & masks[1]);
}

// A warp that tests calls this. Tests its part of the block's i-th tile. Returns whether there is such a tile.
template <typename T>
__device__ __forceinline__ bool testTile(const Arguments& arguments, const Pipe<T>& pipe, uint i) {
  const FrameBlock& frame = arguments.frame;
  const uint stage = i % kPipedStages;
  const uint slot = i % kPipedSlots;
  awaitPhase(pipe.full + stage, i / kPipedStages);
  const uint tile = pipe.tiles[stage];
  if (tile >= pipe.tileCount) return false;
  PipedRows<T> rows;
  loadRecords(arguments, pipe, stage, tile, rows);
  // A test of several words asks whether one of them is not zero, so the words may be combined first.
  uint masks[T::kRecordWords];
  SLU_UNROLL
  for (uint word = 0; word < T::kRecordWords; ++word) {
    masks[word] = word - frame.liveOffset < max(frame.liveWords, 1u) ? 0xffffffffu : 0;  // 0: a test of one word
  }
  uint votes[T::kRows];
  uint kept = 0;
  withWordTest(arguments, [&](const auto& isLive) {
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      uint tested = 0;
      SLU_UNROLL
      for (uint k = 0; k < T::kUnits; ++k) tested |= wordsOf(rows.units[row][k], masks + k * T::kUnitWords);
      votes[row] = __ballot_sync(kFullWarp, isLive(tested));
      kept += countBits(votes[row]);
    }
  });
  __syncwarp();  // all lanes have loaded from the stage, and have stored what was in the slot
  if (laneOfWarp() == 0) {
    pipe.counts[slot * kPipedWarps + warpOfBlock()] = kept;
    arriveAt(pipe.counted + slot);  // before the stage is released, or a warp could arrive here for a later tile
    arriveAt(pipe.empty + stage);
  }
  const auto staged = pipe.staged + (slot * T::kTileUnits + warpOfBlock() * T::kWarpRecords * T::kUnits);
  uint next = 0;
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint first = (next + countBits(votes[row] & lanesBelow())) * T::kUnits;
    if ((votes[row] >> laneOfWarp() & 1u) != 0) {
      SLU_UNROLL
      for (uint k = 0; k < T::kUnits; ++k) staged[first + k] = rows.units[row][k];
    }
    next += countBits(votes[row]);
  }
  return true;
}

// A warp that tests calls this. Stores what it keeps of the block's i-th tile, in whole lines except the first and the
// last.
template <typename T>
__device__ __forceinline__ void storeTile(const Arguments& arguments, const Pipe<T>& pipe, uint i) {
  using Unit = typename T::Unit;
  constexpr int kFlight = 4;  // units that a thread has in flight
  constexpr int kStep = kWarp;
  const FrameBlock& frame = arguments.frame;
  const uint slot = i % kPipedSlots;
  const uint ofWarp = slot * kPipedWarps + warpOfBlock();
  awaitPhase(pipe.reserved + slot, i / kPipedSlots);
  const uint first = pipe.firsts[ofWarp];
  const int count = static_cast<int>(fittingOf(arguments, first, pipe.counts[ofWarp]) * T::kUnits);
  const auto staged = pipe.staged + (slot * T::kTileUnits + warpOfBlock() * T::kWarpRecords * T::kUnits);
  Unit* output = at<Unit>(frame.keptRecords, (static_cast<u64>(blockIdx.y) * frame.outputsPerView + first) * T::kUnits);
  int k = static_cast<int>(laneOfWarp() - unitsIntoLine(output));  // below 0: not to be stored
  for (; k < count; k += kFlight * kStep) {
    SLU_UNROLL
    for (int f = 0; f < kFlight; ++f) {
      const int unit = k + f * kStep;
      if (unit >= 0 && unit < count) output[unit] = staged[unit];
    }
  }
}

// Each warp that tests calls this.
template <typename T>
__device__ __forceinline__ void testAndStore(const Arguments& arguments, const Pipe<T>& pipe) {
  uint i = 0;
  for (; testTile(arguments, pipe, i); ++i) {
    if (i >= kPipedLag) storeTile(arguments, pipe, i - kPipedLag);
  }
  __syncwarp();
  for (uint k = i > kPipedLag ? i - kPipedLag : 0; k < i; ++k) storeTile(arguments, pipe, k);
  __syncwarp();
  if (laneOfWarp() != 0) return;
  for (uint k = i; k < i + kPipedReservers; ++k) {
    pipe.counts[k % kPipedSlots * kPipedWarps + warpOfBlock()] = kNoMoreTiles;
    arriveAt(pipe.counted + k % kPipedSlots);
  }
}

template <typename T>
__device__ __forceinline__ void compactInPipe(const Arguments& arguments) {
  assumeFlatBlock();
  constexpr uint kPadding = 6 * 8 + 128;  // between the arrays below, and before what the launch asks for
  static_assert(4 * (kPipedStages + 2 * kPipedSlots * kPipedWarps) + 16 * (kPipedStages + kPipedSlots) + kPadding <=
                kPipedDeclaredBytes);
  SLU_SHARED_ARRAY(uint, tiles, kPipedStages);
  SLU_SHARED_ARRAY(u64, full, kPipedStages);
  SLU_SHARED_ARRAY(u64, empty, kPipedStages);
  SLU_SHARED_ARRAY(uint, counts, kPipedSlots * kPipedWarps);
  SLU_SHARED_ARRAY(u64, counted, kPipedSlots);
  SLU_SHARED_ARRAY(uint, firsts, kPipedSlots * kPipedWarps);
  SLU_SHARED_ARRAY(u64, reserved, kPipedSlots);
  SLU_SHARED_DYNAMIC(typename T::Unit, units);

  const uint inputs = inputCount(arguments.frame);
  const Pipe<T> pipe = {inputs,      tileCountOf(inputs, T::kRecords),     units + 0,  tiles + 0,   full + 0,
                        empty + 0,   units + kPipedStages * T::kTileUnits, counts + 0, counted + 0, firsts + 0,
                        reserved + 0};
  if (threadIdx.x == 0) {
    for (uint stage = 0; stage < kPipedStages; ++stage) {
      initBarrier(pipe.full + stage, 1);
      initBarrier(pipe.empty + stage, kPipedWarps);
    }
    for (uint slot = 0; slot < kPipedSlots; ++slot) {
      initBarrier(pipe.counted + slot, kPipedWarps);
      initBarrier(pipe.reserved + slot, 1);
    }
    showBarriersToCopies();
  }
  __syncthreads();
  if (warpOfBlock() < kPipedWarps) {
    testAndStore(arguments, pipe);
  } else if (warpOfBlock() > kPipedWarps) {
    reserveTiles(arguments, pipe, warpOfBlock() - kPipedWarps - 1);
  } else if (laneOfWarp() == 0) {
    fillStages(arguments, pipe);
  }
}

template <uint kBlocks, uint kWords>
__global__ void __launch_bounds__(kPipedThreads, kBlocks)
    compactPiped([[maybe_unused]] const __grid_constant__ Arguments arguments) {
  if constexpr (kHasBulkCopies) compactInPipe<PipedTile<kWords>>(arguments);
}

}  // namespace slu::cuda
