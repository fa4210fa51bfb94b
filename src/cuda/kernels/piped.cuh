// Records of 12 and 20 bytes that decide for themselves, written as records, unordered, in large frames, on GPUs from
// sm_90 on. A multiprocessor holds one block, which takes tile after tile, and no warp that works waits for memory or
// for an atomic: one thread has copies of the next tiles under way, into stages of shared memory; most warps test a tile
// there, give the stage back, line up what is kept, and store it kPipedLag tiles later, when the place in the output has
// arrived for which other warps have asked. Lanes read records that are an odd number of words apart, so that all banks
// serve them.
//
// No block waits for another, so that they need not all be resident.
#pragma once

#include "load.cuh"
#include "pipe.cuh"
#include "reserve.cuh"
#include "tiles.h"

namespace slu::cuda {

template <uint kRecordWords>
struct PipedTile {
  static constexpr uint kWords = kRecordWords;  // of a record
  static constexpr uint kWarps = kPipedWarps;
  static constexpr uint kThreads = kWarps * kWarp;  // that test and store
  static constexpr uint kRows = pipedRows(kWords);  // records of a thread
  static constexpr uint kRecords = kRows * kThreads;
  static constexpr uint kTileWords = kRecords * kWords;
  static constexpr uint kTileBytes = kTileWords * 4;
  static_assert(kWords % 2 == 1 && kRecords == pipedTileRecords(kWords));
  static_assert(kTileBytes % 16 == 0 && kTileBytes < 1u << 20, "for barriers that count its bytes");
  static_assert((kPipedStages + kPipedSlots) * kTileBytes == pipedSharedBytes(kWords));
  static_assert((1u << 31) / kRecords <= 1u << (64 - kKeptBits), "too many tiles for ViewProgress");

  // The thread's record of a row, as a number within the tile.
  __device__ static __forceinline__ uint recordOf(uint row) {
    return (warpOfBlock() * kRows + row) * kWarp + laneOfWarp();
  }
};

// What the warps of a block share. The block's i-th tile has stage i % kPipedStages, and from when it is counted slot
// i % kPipedSlots.
template <typename T>
struct Pipe {
  uint inputs;
  uint tileCount;
  uint wholeTiles;  // come by copies; threads load the records of one that is not whole

  SLU_SHARED_POINTER(uint) stages;
  SLU_SHARED_POINTER(uint) tiles;  // by stage: which one it is; from tileCount on, none
  SLU_SHARED_POINTER(u64) full;    // by stage
  SLU_SHARED_POINTER(u64) empty;

  SLU_SHARED_POINTER(uint) counts;  // by warp, of two tiles
  SLU_SHARED_POINTER(uint) staged;  // by slot: the words of what is kept
  SLU_SHARED_POINTER(uint) kept;    // how many records these are; kNoMoreTiles: there are no more tiles
  SLU_SHARED_POINTER(u64) counted;
  SLU_SHARED_POINTER(uint) firsts;  // the place in the output
  SLU_SHARED_POINTER(u64) reserved;
};

constexpr uint kNoMoreTiles = 0xffffffffu;

// By one thread: fills the stages with the block's tiles. The first kPipedStages of them are fixed, the others drawn,
// each before the one ahead of it waits for its stage.
template <typename T>
__device__ __forceinline__ void fillStages(const Arguments& arguments, const Pipe<T>& pipe) {
  const FrameBlock& frame = arguments.frame;
  uint* drawn = &at<ViewProgress>(frame.ticket, blockIdx.y)->drawn;
  uint tile = blockIdx.x;
  for (uint i = 0;; ++i) {
    const uint stage = i % kPipedStages;
    const bool exists = tile < pipe.tileCount;
    uint next = tile + gridDim.x;
    if (exists && i + 1 >= kPipedStages) next = kPipedStages * gridDim.x + atomicAdd(drawn, 1u);
    if (i >= kPipedStages) awaitPhase(pipe.empty + stage, i / kPipedStages - 1);
    pipe.tiles[stage] = tile;
    if (tile < pipe.wholeTiles) {
      arriveExpecting(pipe.full + stage, T::kTileBytes);
      const uint* words = at<const uint>(frame.records, static_cast<u64>(tile) * T::kTileWords);
      copyBulk(pipe.stages + stage * T::kTileWords, words, T::kTileBytes, pipe.full + stage);
    } else {
      arriveAt(pipe.full + stage);
    }
    if (!exists) break;
    tile = next;
  }
  // A block that draws goes on until there is no tile for it: all together draw tileCount - (kPipedStages - 1) * gridDim.x
  // times, the last time this tile. Where nobody draws the word is zero.
  if (tile == pipe.tileCount + gridDim.x - 1) *drawn = 0;
}

// By one warp of kPipedReservers, for every so many of the block's tiles: asks for the place in the output, and
// publishes after the view's last tile.
template <typename T>
__device__ __forceinline__ void reserveTiles(const Arguments& arguments, const Pipe<T>& pipe, uint number) {
  const uint view = blockIdx.y;
  for (uint i = number;; i += kPipedReservers) {
    const uint slot = i % kPipedSlots;
    uint kept = 0;
    u64 before = 0;
    if (laneOfWarp() == 0) {
      awaitPhase(pipe.counted + slot, i / kPipedSlots);
      kept = pipe.kept[slot];
      if (kept != kNoMoreTiles) {
        before = reserve(arguments, view, kept, pipe.tileCount);
        pipe.firsts[slot] = Reservation{before}.first();
        arriveAt(pipe.reserved + slot);
      }
    }
    kept = __shfl_sync(kFullWarp, kept, 0);
    if (kept == kNoMoreTiles) return;
    const Reservation reserved{__shfl_sync(kFullWarp, before, 0)};
    if (reserved.isLast(pipe.tileCount)) {
      if (laneOfWarp() == 0) resetProgress(arguments.frame, view);
      publishByWarp(arguments, view, reserved.first() + kept);
    }
  }
}

constexpr uint kTestingBarrier = 1;  // of the threads that test and store; 0 is that of the block

// A thread's part of a tile.
template <typename T>
struct PipedRows {
  uint words[T::kRows][T::kWords];
  uint votes[T::kRows];  // bit per lane: its record is kept
  uint below;            // kept records of the tile before the warp's
  uint kept;             // of the tile
};

template <typename T>
__device__ __forceinline__ void loadRecords(const FrameBlock& frame, const Pipe<T>& pipe, uint stage, uint tile,
                                            PipedRows<T>& rows) {
  if (tile < pipe.wholeTiles) {
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      const uint first = stage * T::kTileWords + T::recordOf(row) * T::kWords;
      SLU_UNROLL
      for (uint word = 0; word < T::kWords; ++word) rows.words[row][word] = pipe.stages[first + word];
    }
    return;
  }
  const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kTileWords);
  const uint present = pipe.inputs - tile * T::kRecords;
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint record = T::recordOf(row);
    SLU_UNROLL
    for (uint word = 0; word < T::kWords; ++word) {
      rows.words[row][word] = record < present ? __ldcg(records + record * T::kWords + word) : 0;
    }
  }
}

// Bit per word of a record: the live test reads it.
template <typename T>
__device__ __forceinline__ uint testedWordsOfRecord(const FrameBlock& frame) {
  uint mask = 0;
  SLU_UNROLL
  for (uint word = 0; word < T::kWords; ++word) {
    if (word - frame.liveOffset < max(frame.liveWords, 1u)) mask |= 1u << word;  // 0: a test of one word
  }
  return mask;
}

// Takes the block's i-th tile off its stage, by all threads that test. Returns whether there is one; then holds a
// barrier.
template <typename T>
__device__ __forceinline__ bool takeTile(const Arguments& arguments, const Pipe<T>& pipe, uint i, PipedRows<T>& rows) {
  const uint stage = i % kPipedStages;
  awaitPhase(pipe.full + stage, i / kPipedStages);
  const uint tile = pipe.tiles[stage];
  if (tile >= pipe.tileCount) return false;
  loadRecords(arguments.frame, pipe, stage, tile, rows);
  const uint tested = testedWordsOfRecord<T>(arguments.frame);
  uint sum = 0;
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    uint live = 0;
    SLU_UNROLL
    for (uint word = 0; word < T::kWords; ++word) {
      if (wordIsLive(arguments.plan.liveLimit, rows.words[row][word])) live |= 1u << word;
    }
    rows.votes[row] = __ballot_sync(kFullWarp, (live & tested) != 0);
    sum += countBits(rows.votes[row]);
  }
  const auto counts = pipe.counts + i % 2 * T::kWarps;
  __syncwarp();  // the warp has what it needs of the stage
  if (laneOfWarp() == 0) {
    arriveAt(pipe.empty + stage);
    counts[warpOfBlock()] = sum;
  }
  __barrier_sync_count(kTestingBarrier, T::kThreads);
  const uint count = laneOfWarp() < T::kWarps ? static_cast<uint>(counts[laneOfWarp()]) : 0;
  rows.below = sumOfWarp(laneOfWarp() < warpOfBlock() ? count : 0);
  rows.kept = sumOfWarp(count);
  return true;
}

template <typename T, typename Words>
__device__ __forceinline__ void stageRows(const PipedRows<T>& rows, const Words& staged) {
  uint next = rows.below;
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint first = (next + countBits(rows.votes[row] & lanesBelow())) * T::kWords;
    if ((rows.votes[row] >> laneOfWarp() & 1u) != 0) {
      SLU_UNROLL
      for (uint word = 0; word < T::kWords; ++word) staged[first + word] = rows.words[row][word];
    }
    next += countBits(rows.votes[row]);
  }
}

// Stores what is kept of the block's i-th tile, in whole lines.
template <typename T>
__device__ __forceinline__ void storeTile(const Arguments& arguments, const Pipe<T>& pipe, uint i) {
  constexpr int kFlight = 4;  // words under way per thread
  constexpr int kStep = T::kThreads;
  const FrameBlock& frame = arguments.frame;
  const uint slot = i % kPipedSlots;
  awaitPhase(pipe.reserved + slot, i / kPipedSlots);
  const uint first = pipe.firsts[slot];
  const uint count = fittingOf(arguments, first, pipe.kept[slot]) * T::kWords;
  const auto staged = pipe.staged + slot * T::kTileWords;
  uint* output = at<uint>(frame.keptRecords, (static_cast<u64>(blockIdx.y) * frame.outputsPerView + first) * T::kWords);
  uint words[kFlight] = {};
  int k = static_cast<int>(threadIdx.x - unitsIntoLine(output));  // below 0: not to be stored
  for (; k < static_cast<int>(count); k += kFlight * kStep) {
    SLU_UNROLL
    for (int f = 0; f < kFlight; ++f) {
      if (static_cast<uint>(k + f * kStep) < count) words[f] = staged[k + f * kStep];
    }
    SLU_UNROLL
    for (int f = 0; f < kFlight; ++f) {
      if (static_cast<uint>(k + f * kStep) < count) output[k + f * kStep] = words[f];
    }
  }
}

// By all threads that test and store.
template <typename T>
__device__ __forceinline__ void testAndStore(const Arguments& arguments, const Pipe<T>& pipe) {
  const auto tellKept = [&](uint i, uint kept) {
    pipe.kept[i % kPipedSlots] = kept;
    arriveAt(pipe.counted + i % kPipedSlots);
  };
  uint i = 0;
  for (;; ++i) {
    PipedRows<T> rows;
    if (!takeTile(arguments, pipe, i, rows)) break;
    // The barrier in takeTile keeps this apart from the stores of the tile that had the slot before.
    if (threadIdx.x == 0) tellKept(i, rows.kept);
    stageRows(rows, pipe.staged + i % kPipedSlots * T::kTileWords);
    if (i >= kPipedLag) storeTile(arguments, pipe, i - kPipedLag);
  }
  __barrier_sync_count(kTestingBarrier, T::kThreads);
  for (uint k = i > kPipedLag ? i - kPipedLag : 0; k < i; ++k) storeTile(arguments, pipe, k);
  __barrier_sync_count(kTestingBarrier, T::kThreads);
  for (uint k = 0; k < kPipedReservers; ++k) {
    if (threadIdx.x == 0) tellKept(i + k, kNoMoreTiles);
  }
}

template <typename T>
__device__ __forceinline__ void compactInPipe(const Arguments& arguments) {
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, tiles, kPipedStages);
  SLU_SHARED_ARRAY(u64, full, kPipedStages);
  SLU_SHARED_ARRAY(u64, empty, kPipedStages);
  SLU_SHARED_ARRAY(uint, counts, 2 * T::kWarps);
  SLU_SHARED_ARRAY(uint, kept, kPipedSlots);
  SLU_SHARED_ARRAY(u64, counted, kPipedSlots);
  SLU_SHARED_ARRAY(uint, firsts, kPipedSlots);
  SLU_SHARED_ARRAY(u64, reserved, kPipedSlots);
  SLU_SHARED_DYNAMIC(uint, words);

  const uint inputs = inputCount(arguments.frame);
  const Pipe<T> pipe = {inputs,
                        tileCountOf(inputs, T::kRecords),
                        inputs / T::kRecords,
                        words + 0,
                        tiles + 0,
                        full + 0,
                        empty + 0,
                        counts + 0,
                        words + kPipedStages * T::kTileWords,
                        kept + 0,
                        counted + 0,
                        firsts + 0,
                        reserved + 0};
  if (threadIdx.x == 0) {
    for (uint stage = 0; stage < kPipedStages; ++stage) {
      initBarrier(pipe.full + stage, 1);
      initBarrier(pipe.empty + stage, T::kWarps);
    }
    for (uint slot = 0; slot < kPipedSlots; ++slot) {
      initBarrier(pipe.counted + slot, 1);
      initBarrier(pipe.reserved + slot, 1);
    }
    showBarriersToCopies();
  }
  __syncthreads();
  if (warpOfBlock() < T::kWarps) {
    testAndStore(arguments, pipe);
  } else if (warpOfBlock() > T::kWarps) {
    reserveTiles(arguments, pipe, warpOfBlock() - T::kWarps - 1);
  } else if (laneOfWarp() == 0) {
    fillStages(arguments, pipe);
  }
}

template <uint kRecordWords>
__global__ void __launch_bounds__(kPipedThreads, 1)
    compactPiped([[maybe_unused]] const __grid_constant__ Arguments arguments) {
  if constexpr (kHasBulkCopies) compactInPipe<PipedTile<kRecordWords>>(arguments);
}

}  // namespace slu::cuda
