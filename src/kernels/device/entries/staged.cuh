// Moves records of other sizes of up to 60 bytes. A whole tile is written to shared memory and tested there, and what
// is kept of it is stored from there. So loads and stores are whole lines, although the size of a record is not a power
// of two.
#pragma once

#include <type_traits>

#include "../platform/tiles.h"
#include "../steps/emit.cuh"
#include "../steps/load.cuh"
#include "../steps/lookback.cuh"

namespace slu::cuda {

// Divides numbers of up to 2^16 by a divisor of up to 2^6.
class SmallDivisor {
 public:
  __device__ explicit SmallDivisor(uint divisor)
      : divisor_(divisor), reciprocal_(divisor == 1 ? 0u : 0xffffffffu / divisor + 1u) {}
  // reciprocal * divisor exceeds 2^32 by less than divisor. So the quotient is too large by less than a / 2^32, and
  // 2^16 / 2^32 is less than the 1 / divisor at which it would be rounded wrongly.
  __device__ __forceinline__ uint quotient(uint a) const {
    return divisor_ == 1 ? a : static_cast<uint>(static_cast<u64>(a) * reciprocal_ >> 32);
  }

 private:
  uint divisor_;
  uint reciprocal_;
};

// Stores the records that the list names, in units that divide a record and its address. tile: the words of the tile.
// list: entry k -> record.
template <uint kUnitWords, typename Words, typename List>
__device__ __forceinline__ void emitStaged(const Arguments& arguments, const Words& tile, const List& list,
                                           uint fitting, uint first) {
  using Unit = std::conditional_t<kUnitWords == 2, uint2, uint>;
  const FrameBlock& frame = arguments.frame;
  const uint units = arguments.plan.recordWords / kUnitWords;
  const SmallDivisor divisor(units);
  const u64 firstUnit = (static_cast<u64>(blockIdx.y) * frame.outputsPerView + first) * units;
  Unit* output = at<Unit>(frame.keptRecords, firstUnit);
  int k = static_cast<int>(threadIdx.x - unitsIntoLine(output));
  for (; k < static_cast<int>(fitting * units); k += kThreads) {
    if (k < 0) continue;
    const uint place = divisor.quotient(static_cast<uint>(k));
    const uint record = list[place];
    const uint word = (record * units + static_cast<uint>(k) - place * units) * kUnitWords;
    if constexpr (kUnitWords == 2) {
      const uint x = tile[word], y = tile[word + 1];
      output[k] = Unit{x, y};
    } else {
      output[k] = tile[word];
    }
  }
}

template <uint kBlocks, bool kStable, uint kRows>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactStaged(const __grid_constant__ Arguments arguments) {
  using T = Tile<kThreads, kRows>;
  constexpr uint kQuads = kStagedWords / 4 / kThreads;  // per thread
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(uint, staged, (kStable ? 2 : 1) * kStagedWords);
  SLU_SHARED_ARRAY(unsigned short, list, (kStable ? 2 : 1) * T::kRecords);
  SLU_SHARED_ARRAY(u64, slot, 1);

  const FrameBlock& frame = arguments.frame;
  const uint recordWords = arguments.plan.recordWords;
  const uint tileRecords = arguments.plan.tileRecords;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, tileRecords);
  const bool isAligned = frame.records % sizeof(uint4) == 0;
  uint4 quads[kQuads];
  uint rowRanks[T::kRows];
  uint flags = 0;

  const auto presentIn = [&](uint tile) { return min(inputs - tile * tileRecords, tileRecords); };
  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * tileRecords * recordWords);
    loadQuads(records, presentIn(tile) * recordWords, isAligned, quads);
  };
  const auto rank = [&](uint tile, uint buffer) {
    const auto target = &staged[buffer * kStagedWords];
    __syncthreads();  // other threads may still copy what was there
    SLU_UNROLL
    for (uint i = 0; i < kQuads; ++i) {
      const uint first = 4 * (i * kThreads + threadIdx.x);
      target[first] = quads[i].x;
      target[first + 1] = quads[i].y;
      target[first + 2] = quads[i].z;
      target[first + 3] = quads[i].w;
    }
    __syncthreads();
    const uint present = presentIn(tile);
    flags = 0;
    withWordTest(arguments, [&](const auto& isLive) {
      SLU_UNROLL
      for (uint item = 0; item < T::kItems; ++item) {
        const uint record = T::localOf(item);
        if (record >= present) continue;
        const uint firstWord = record * recordWords + frame.liveOffset;
        bool anyIsLive = isLive(target[firstWord]);
        for (uint i = 1; i < frame.liveWords; ++i) anyIsLive |= isLive(target[firstWord + i]);
        if (anyIsLive) flags |= 1u << item;
      }
    });
    return rankTile<T>(flags, rowRanks, counts);
  };
  const auto stage = [&](uint buffer) {
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      const uint place = buffer * T::kRecords + itemRank<T>(flags, rowRanks, item);
      if ((flags >> item & 1u) != 0) list[place] = static_cast<unsigned short>(T::localOf(item));
    }
  };
  const auto emit = [&](uint buffer, uint, uint kept, uint first) {
    const uint fitting = fittingOf(arguments, first, kept);
    const auto tile = &staged[buffer * kStagedWords];
    const auto records = &list[buffer * T::kRecords];
    if (frame.copyWords >= 2) {
      emitStaged<2>(arguments, tile, records, fitting, first);
    } else {
      emitStaged<1>(arguments, tile, records, fitting, first);
    }
  };
  if constexpr (kStable) {
    compactStable<T>(arguments, tileCount, slot, sums, fetch, rank, stage, emit);
  } else {
    compactUnordered<T::kThreads>(arguments, tileCount, gridDim.x, slot, fetch, rank, stage, emit);
  }
}

}  // namespace slu::cuda
