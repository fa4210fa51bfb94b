// Moves records of up to 64 bytes if blocks get little shared memory: survivors are stored straight from registers.
// These stores are dense, but seldom whole lines.
#pragma once

#include "../movers/narrow.cuh"
#include "../movers/wide.cuh"

namespace slu::cuda {

// A row is what a warp holds of a tile at a time: a unit per lane, or several words. Each kind of rows is a Tile and has
//   Row                         what a thread holds of a row
//   kRecordWords, kUnitWords    the words of a record, and of what is loaded at a time
//   load<kIsWhole>(records, present, isAligned, dead, rows)
//                               loads the thread's part of a tile, with `dead` words after `present` records; if
//                               kIsWhole, all records are present
//   vote(arguments, row)        returns which records of the warp's row are kept, a bit each
//   store(output, isAligned, fitting, next, votes, row)
//                               stores the kept ones in order, from place `next` on

struct Rows4 : Tile<kThreads, 16> {
  using Row = uint;
  static constexpr uint kRecordWords = 1, kUnitWords = 1;

  template <bool kIsWhole>
  __device__ static __forceinline__ void load(const uint* records, uint present, bool, uint dead, Row (&rows)[kRows]) {
    const uint own = warpOfBlock() * kRows * kWarp + laneOfWarp();
    SLU_UNROLL
    for (uint row = 0; row < kRows; ++row) {
      const bool isPresent = kIsWhole || own + row * kWarp < present;
      rows[row] = isPresent ? __ldcg(records + own + row * kWarp) : dead;
    }
  }
  __device__ static __forceinline__ uint vote(const Arguments& arguments, Row word) {
    return __ballot_sync(kFullWarp, withWordTest(arguments, [&](const auto& isLive) { return isLive(word); }));
  }
  __device__ static __forceinline__ void store(uint* output, bool, uint fitting, uint next, uint votes, Row word) {
    const uint place = next + countBits(votes & lanesBelow());
    if ((votes >> laneOfWarp() & 1u) != 0 && place < fitting) output[place] = word;
  }
};

// A row of 32 records is three words per lane, 32 words apart. So loads are whole lines, although 12 is not a power of
// two.
struct Rows12 : Tile<kThreads, 5> {
  struct Row {
    uint words[3];
  };
  static constexpr uint kRecordWords = 3, kUnitWords = 1;
  static constexpr uint kRowWords = kRecordWords * kWarp;
  static_assert(kRecords == kDirect12TileRecords);

  template <bool kIsWhole>
  __device__ static __forceinline__ void load(const uint* records, uint present, bool, uint dead, Row (&rows)[kRows]) {
    const uint own = warpOfBlock() * kRows * kRowWords + laneOfWarp();
    SLU_UNROLL
    for (uint i = 0; i < kRows * kRecordWords; ++i) {
      const bool isPresent = kIsWhole || own + i * kWarp < present * kRecordWords;
      rows[i / kRecordWords].words[i % kRecordWords] = isPresent ? __ldcg(records + own + i * kWarp) : dead;
    }
  }
  __device__ static __forceinline__ uint vote(const Arguments& arguments, const Row& row) {
    const FrameBlock& frame = arguments.frame;
    uint votes[kRecordWords];  // one bit per word of the row
    withWordTest(arguments, [&](const auto& isLive) {
      SLU_UNROLL
      for (uint i = 0; i < kRecordWords; ++i) votes[i] = __ballot_sync(kFullWarp, isLive(row.words[i]));
    });
    // Each lane tests one record. What depends on the lane would take registers that records need, and is computed
    // anew.
    const uint first = unforeseen(laneOfWarp()) * kRecordWords;
    const uint low = first < kWarp ? votes[0] : first < 2 * kWarp ? votes[1] : votes[2];
    const uint high = first < kWarp ? votes[1] : votes[2];  // no record goes beyond the last word
    const u64 onRecord = (static_cast<u64>(high) << 32 | low) >> first % kWarp;
    const uint tested = ((1u << max(frame.liveWords, 1u)) - 1u) << frame.liveOffset;  // 0: a test of one word
    return __ballot_sync(kFullWarp, (static_cast<uint>(onRecord) & tested) != 0);
  }
  __device__ static __forceinline__ void store(uint* output, bool, uint fitting, uint next, uint votes,
                                               const Row& row) {
    const uint lane = unforeseen(laneOfWarp());  // as in `vote`
    SLU_UNROLL
    for (uint i = 0; i < kRecordWords; ++i) {
      const uint word = i * kWarp + lane;
      const uint record = word / kRecordWords;
      const uint place = next + countBits(votes & ((1u << record) - 1u));
      const bool isStored = (votes >> record & 1u) != 0 && place < fitting;
      if (isStored) output[place * kRecordWords + word % kRecordWords] = row.words[i];
    }
  }
};

// Neighbouring lanes share a record, with a unit each.
template <uint kWords, uint kUnits>
struct UnitRows : WideTile<kWords, kUnits> {
  using Wide = WideTile<kWords, kUnits>;
  using Row = typename Wide::Unit;
  static constexpr uint kRecordWords = kWords * kUnits, kUnitWords = kWords;

  template <bool>  // the test for the end costs nothing here
  __device__ static __forceinline__ void load(const uint* records, uint present, bool isAligned, uint dead,
                                              Row (&rows)[Wide::kRows]) {
    loadTile<Wide>(records, present, isAligned, dead, rows);
  }
  __device__ static __forceinline__ uint vote(const Arguments& arguments, const Row& unit) {
    const uint live = withWordTest(arguments, [&](const auto& isLive) { return liveMask(isLive, unit); });
    const uint votes = __ballot_sync(kFullWarp, (live & testedWords<Wide>(arguments.frame)) != 0);
    if constexpr (kUnits == 1) return votes;
    return __ballot_sync(kFullWarp, anyOfRecord<kUnits>(votes) && Wide::isFirstUnit());
  }
  __device__ static __forceinline__ void store(uint* output, bool isAligned, uint fitting, uint next, uint votes,
                                               const Row& unit) {
    const uint firstLane = firstLaneOfRecord<kUnits>();
    const uint place = next + countBits(votes & ((1u << firstLane) - 1u));
    if ((votes >> firstLane & 1u) == 0 || place >= fitting) return;
    storeUnit(reinterpret_cast<Row*>(output) + (place * kUnits + laneOfWarp() % kUnits), unit, isAligned);
  }
};
// These are structs because the names of kernels are composed of plain names (kernel_names.cpp).
struct Rows8 : UnitRows<2, 1> {};
struct Rows16 : UnitRows<4, 1> {};
struct Rows32 : UnitRows<4, 2> {};
struct Rows48 : UnitRows<4, 3> {};
struct Rows64 : UnitRows<4, 4> {};

template <uint kBlocks, bool kStable, typename T>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactRows(const __grid_constant__ Arguments arguments) {
  constexpr uint kTileWords = T::kRecords * T::kRecordWords;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const FrameBlock& frame = arguments.frame;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  const bool isAligned = frame.copyWords >= T::kUnitWords;
  // In stable order there are two tiles: one that waits for its prefix, and one whose loads are in flight.
  typename T::Row rows[T::kRows];
  typename T::Row waiting[T::kRows] = {};
  uint votes[T::kRows] = {};
  uint ofWarp = 0;
  uint ofWaiting = 0;

  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * kTileWords);
    const uint present = min(inputs - tile * T::kRecords, T::kRecords);
    if (present < T::kRecords) {
      T::template load<false>(records, present, isAligned, arguments.plan.deadWord, rows);
      return;
    }
    T::template load<true>(records, present, isAligned, arguments.plan.deadWord, rows);
    // Prefetches a tile that some block takes one round later. The last tile may be short.
    if (kStable && tile + gridDim.x < tileCount - 1) {
      prefetchWords(records + static_cast<u64>(gridDim.x) * kTileWords, kTileWords);
    }
  };
  const auto rank = [&](uint, uint) {
    uint sum = 0;
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      votes[row] = T::vote(arguments, rows[row]);
      sum += countBits(votes[row]);
    }
    return rankWarps<T>(sum, counts, ofWarp);
  };
  const auto stage = [&](uint) {
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) waiting[row] = rows[row];
    ofWaiting = ofWarp;
  };
  const auto emit = [&](uint, uint, uint keptOfTile, uint first) {
    const uint fitting = fittingOf(arguments, first, keptOfTile);
    const u64 firstRecord = static_cast<u64>(blockIdx.y) * frame.outputsPerView + first;
    uint* output = at<uint>(frame.keptRecords, firstRecord * T::kRecordWords);
    uint next = ofWaiting;
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      // In stable order the votes are already those of the next tile. Voting again takes no registers.
      const uint kept = kStable ? T::vote(arguments, waiting[row]) : votes[row];
      T::store(output, isAligned, fitting, next, kept, waiting[row]);
      next += countBits(kept);
    }
  };
  if constexpr (kStable) {
    compactStable<T, true, Waiting::inRegisters>(arguments, tileCount, slot, sums, fetch, rank, stage, emit);
  } else {
    compactUnordered<T::kThreads>(arguments, tileCount, gridDim.x, slot, fetch, rank, stage, emit);
  }
}

// Moves records of 4 bytes in any order: four neighbours per lane and row. If a tile has few survivors, they are stored
// through a little shared memory, which takes fewer instructions than a vote on each word.
template <uint kBlocks>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactWords(const __grid_constant__ Arguments arguments) {
  using T = NarrowTile<kLargeTileRecords / (4 * kThreads)>;
  constexpr uint kFew = T::kRecords / 16 * 5;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, staged, kFew);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const FrameBlock& frame = arguments.frame;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  uint4 rows[T::kRows] = {};
  uint flags = 0;
  uint ofWarp = 0;

  // Calls use(flag, word) for the thread's words.
  const auto forEachWord = [&](const auto& use) {
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) {
      const uint words[] = {rows[row].x, rows[row].y, rows[row].z, rows[row].w};
      SLU_UNROLL
      for (uint i = 0; i < T::kGroup; ++i) use((flags >> (row * T::kGroup + i) & 1u) != 0, words[i]);
    }
  };
  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kRecords);
    loadRows<T>(records, min(inputs - tile * T::kRecords, T::kRecords), frame.wideLive != 0, arguments.plan.deadWord,
                rows);
  };
  const auto rank = [&](uint, uint) {
    flags = liveFlags<T>(arguments, rows);
    return rankWarps<T>(sumOfWarp(countBits(flags)), counts, ofWarp);
  };
  const auto stage = [](uint) {};
  const auto emit = [&](uint, uint, uint kept, uint first) {
    const uint fitting = fittingOf(arguments, first, kept);
    uint* output = at<uint>(frame.keptRecords, static_cast<u64>(blockIdx.y) * frame.outputsPerView + first);
    if (kept <= kFew) {
      uint place = ofWarp + exclusiveSumOfWarp(countBits(flags));
      forEachWord([&](bool isKept, uint word) {
        if (isKept) staged[place++] = word;
      });
      __syncthreads();
      for (uint k = threadIdx.x; k < fitting; k += kThreads) output[k] = staged[k];
      return;
    }
    uint next = ofWarp;
    forEachWord([&](bool isKept, uint word) {
      const uint votes = __ballot_sync(kFullWarp, isKept);
      const uint place = next + countBits(votes & lanesBelow());
      if (isKept && place < fitting) output[place] = word;
      next += countBits(votes);
    });
  };
  compactUnordered<T::kThreads>(arguments, tileCount, gridDim.x, slot, fetch, rank, stage, emit);
}

}  // namespace slu::cuda
