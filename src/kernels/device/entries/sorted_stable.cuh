// Does what sorted.cuh does in stable order, still in a single pass. A tile learns how many records of each bucket the
// tiles before it keep, by looking back over what these have published (Merrill and Garland, "Single-pass Parallel
// Prefix Scan with Decoupled Look-back", 2016; Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix
// Sort for GPUs", 2022). Tiles are taken by ticket, so that earlier tiles belong to blocks that already run. While a
// tile's records are written to shared memory, the counts of other tiles arrive.
//
// A bucket has its own range of the output, so nothing else has to be known of the other tiles.
#pragma once

#include "../entries/sorted.cuh"

namespace slu::cuda {

// The view's status words, by tile and then by bucket. From the lowest bit on, a word holds a number of records (32
// bits), whether that is of this tile or of all tiles up to this one (1 bit), and the epoch of the frame (31 bits).
// Words with another epoch count as missing, as in LookBack.
struct BucketLookBack {
  enum class Of : uint { tile = 0, allSoFar = 1 };
  static constexpr uint kLastEpoch = 0x7fffffffu;

  const Arguments& arguments;
  uint epoch;

  __device__ __forceinline__ u64* wordOf(uint tile, uint bucket) const {
    const u64 row = static_cast<u64>(blockIdx.y) * arguments.plan.maxTiles + tile;
    return at<u64>(arguments.frame.tileStatus, row * arguments.frame.bucketCount + bucket);
  }
  __device__ __forceinline__ bool isOfThisFrame(u64 word) const { return static_cast<uint>(word >> 33) == epoch; }
  __device__ static __forceinline__ bool isOfAllSoFar(u64 word) { return (word >> 32 & 1) != 0; }

  // Is called after countRejects and a barrier. A fence for bucket 0 is enough: who has seen the words of all tiles has
  // also seen those of bucket 0.
  __device__ __forceinline__ void publish(uint tile, uint bucket, Of of, uint records) const {
    if (bucket == 0) makeVisible(arguments);
    const u64 above = static_cast<u64>(epoch) << 1 | static_cast<uint>(of);
    storeRelaxed(wordOf(tile, bucket), above << 32 | records);
  }
};

// All threads of a block call this. Clears the words of tiles that the frame does not have.
template <typename T>
__device__ __forceinline__ void clearOtherTiles(const BucketLookBack& lookBack, uint tileCount) {
  const uint buckets = lookBack.arguments.frame.bucketCount;
  const u64 count = static_cast<u64>(lookBack.arguments.plan.maxTiles - tileCount) * buckets;
  for (u64 i = threadIdx.x; i < count; i += T::kThreads) storeRelaxed(lookBack.wordOf(tileCount, 0) + i, 0);
}

// Returns how many lanes look back together for one bucket. Otherwise, with few buckets, most threads would be idle.
template <uint kThreads>
__device__ __forceinline__ uint lanesPerBucket(uint bucketCount) {
  constexpr uint kMost = 8;
  uint lanes = 1;
  while (lanes < kMost && 2 * lanes * bucketCount <= kThreads) lanes *= 2;
  return lanes;
}

// Finds how many records of kShare buckets the tiles before `tile` keep. `lanes` neighbouring lanes do this together:
// they load the words of several tiles at once, add up those before the first one that is missing, up to one that is of
// all tiles so far, and go on from there. All lanes of the warp call this. buckets[i]: SLU_DROPPED if there is none.
template <uint kShare>
__device__ __forceinline__ void sumEarlierTiles(const BucketLookBack& lookBack, uint tile, uint lanes,
                                                const uint (&buckets)[kShare], uint (&sums)[kShare]) {
  constexpr uint kWindow = 6;  // words per lane and bucket
  const uint part = laneOfWarp() % lanes;
  const uint firstLane = laneOfWarp() - part;
  const uint peers = (1u << lanes) - 1u;
  uint next[kShare];  // the tiles from here on are in the sum
  SLU_UNROLL
  for (uint i = 0; i < kShare; ++i) {
    next[i] = buckets[i] == SLU_DROPPED ? 0 : tile;
    sums[i] = 0;
  }
  for (;;) {
    bool looksOn = false;
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) looksOn |= next[i] != 0;
    if (__ballot_sync(kFullWarp, looksOn) == 0) return;

    u64 words[kShare][kWindow];
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      SLU_UNROLL
      for (uint k = 0; k < kWindow; ++k) {
        const uint distance = part * kWindow + k + 1;
        words[i][k] = distance <= next[i] ? loadRelaxed(lookBack.wordOf(next[i] - distance, buckets[i])) : 0;
      }
    }
    bool isMissing = false;
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      uint records = 0;
      uint tiles = 0;
      bool goesOn = true;
      bool isComplete = false;
      SLU_UNROLL
      for (uint k = 0; k < kWindow; ++k) {
        goesOn = goesOn && lookBack.isOfThisFrame(words[i][k]);
        if (!goesOn) continue;
        records += static_cast<uint>(words[i][k]);
        ++tiles;
        isComplete = BucketLookBack::isOfAllSoFar(words[i][k]);
        goesOn = !isComplete;
      }
      const uint ends = __ballot_sync(kFullWarp, !goesOn) >> firstLane & peers;
      if (ends != 0 && part > firstBit(ends)) {
        records = tiles = 0;
        isComplete = false;
      }
      for (uint distance = 1; distance < lanes; distance *= 2) {
        records += __shfl_xor_sync(kFullWarp, records, static_cast<int>(distance));
        tiles += __shfl_xor_sync(kFullWarp, tiles, static_cast<int>(distance));
      }
      const bool isDone = (__ballot_sync(kFullWarp, isComplete) >> firstLane & peers) != 0;
      isMissing |= next[i] != 0 && tiles == 0;
      sums[i] += records;
      next[i] = isDone ? 0 : next[i] - tiles;
    }
    if (isMissing) __nanosleep(20);
  }
}

// The counters of the warps: 16 bits per bucket, in a row of whole units for each warp. They lie where the records are
// staged later, which take at least as much memory because of kSortedStableRecordsPerBucket.
template <typename Halves>
struct WarpCounters {
  static constexpr uint kOfUnit = sizeof(uint4) / 2;

  Halves halves;
  uint unitsOfRow;

  __device__ __forceinline__ uint first(uint warp) const { return warp * unitsOfRow * kOfUnit; }
};

// Counts the warp's records per bucket, and ranks each among the warp's records of its bucket, row by row. members:
// buckets on entry, members on return, SLU_DROPPED for records that are not kept. units: the memory of the counters.
template <typename T, typename Units, typename Halves>
__device__ __forceinline__ void rankInWarp(Units units, const WarpCounters<Halves>& counters,
                                           uint (&members)[T::kRows]) {
  const uint first = counters.first(warpOfBlock());
  for (uint i = laneOfWarp(); i < counters.unitsOfRow; i += kWarp) {
    units[warpOfBlock() * counters.unitsOfRow + i] = uint4{};
  }
  uint peers[T::kRows];
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    peers[row] = __match_any_sync(kFullWarp, T::isFirstUnit() ? members[row] : SLU_DROPPED);
  }
  __syncwarp();
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const bool isCounted = members[row] != SLU_DROPPED && T::isFirstUnit();
    const uint leader = firstBit(peers[row]);
    uint rank = 0;
    if (isCounted && laneOfWarp() == leader) {
      rank = counters.halves[first + members[row]];
      counters.halves[first + members[row]] = static_cast<unsigned short>(rank + countBits(peers[row]));
    }
    rank = __shfl_sync(kFullWarp, rank, static_cast<int>(leader)) + countBits(peers[row] & lanesBelow());
    if constexpr (T::kUnitsOfRecord > 1) {
      rank = __shfl_sync(kFullWarp, rank, static_cast<int>(firstLaneOfRecord<T::kUnitsOfRecord>() % kWarp));
    }
    if (members[row] != SLU_DROPPED) members[row] = memberOf(members[row], rank);
    __syncwarp();  // another lane may lead in the next row
  }
}

// Publishes the tile's count of each bucket, and lays out the runs one after the other. Replaces each warp's count by
// the place in the tile's order where its records begin. Returns how many records all runs have. runs: where a run
// begins (upper half), and how many records it has (lower half).
template <typename T, typename Halves, typename Runs, typename Sums>
__device__ __forceinline__ uint layOutRuns(const BucketLookBack& lookBack, uint tile, uint bucketCount,
                                           const WarpCounters<Halves>& counters, Runs runs, Sums sums) {
  uint kept = 0;
  for (uint round = 0; round * T::kThreads < bucketCount; ++round) {
    const uint bucket = round * T::kThreads + threadIdx.x;
    const bool exists = bucket < bucketCount;
    uint count = 0;
    SLU_UNROLL_BY_4
    for (uint warp = 0; warp < T::kWarps; ++warp) {
      if (exists) count += counters.halves[counters.first(warp) + bucket];
    }
    if (exists && lookBack.epoch != 0) {
      const auto of = tile == 0 ? BucketLookBack::Of::allSoFar : BucketLookBack::Of::tile;
      lookBack.publish(tile, bucket, of, count);
    }
    uint next = exclusiveSumOfBlock<T::kWarps>(count, &sums[round % 2 * T::kWarps], kept);
    if (!exists) continue;
    runs[bucket] = next << 16 | count;
    SLU_UNROLL_BY_4
    for (uint warp = 0; warp < T::kWarps; ++warp) {
      const uint ofWarp = counters.halves[counters.first(warp) + bucket];
      counters.halves[counters.first(warp) + bucket] = static_cast<unsigned short>(next);
      next += ofWarp;
    }
  }
  return kept;
}

// Turns the ranks among the warp's records of a bucket into places in the tile's order.
template <typename T, typename Halves>
__device__ __forceinline__ void placeInTile(const WarpCounters<Halves>& counters, uint (&members)[T::kRows]) {
  const uint first = counters.first(warpOfBlock());
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint bucket = members[row] == SLU_DROPPED ? 0 : bucketOf(members[row]);  // bucket 0 exists: no branch
    const uint begin = counters.halves[first + bucket];
    if (members[row] != SLU_DROPPED) members[row] += begin;
  }
}

// Finds how many records of each bucket the earlier tiles keep, and publishes that number with this tile's own. On
// return buckets.runs holds the end, in the tile's order, of the records that fit, and buckets.slots what is added to a
// place in this order to get its slot. The last tile leaves the totals where publishView reads them.
template <typename T, typename Words>
__device__ __forceinline__ void reserveInOrder(const BucketLookBack& lookBack, uint tile, bool isLast,
                                               const BucketRuns<Words>& buckets) {
  constexpr uint kShare = 2;
  const FrameBlock& frame = lookBack.arguments.frame;
  const uint lanes = lanesPerBucket<T::kThreads>(frame.bucketCount);
  const uint step = T::kThreads / lanes;
  for (uint first = 0; first < frame.bucketCount; first += kShare * step) {
    uint own[kShare];
    uint before[kShare];
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint bucket = first + i * step + threadIdx.x / lanes;
      own[i] = bucket < frame.bucketCount ? bucket : SLU_DROPPED;
    }
    sumEarlierTiles(lookBack, tile, lanes, own, before);
    if (own[0] == 0) makeVisible(lookBack.arguments);  // passes on the rejects of earlier tiles
    __syncwarp();
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint bucket = own[i];
      if (bucket == SLU_DROPPED || threadIdx.x % lanes != 0) continue;
      const uint run = buckets.runs[bucket];
      const uint start = run >> 16;
      const uint count = run & 0xffffu;
      if (tile != 0 && !isLast) lookBack.publish(tile, bucket, BucketLookBack::Of::allSoFar, before[i] + count);
      if (isLast) *demandedCounter(frame, blockIdx.y, bucket) = before[i] + count;
      const BucketBlock block = loadBucket(frame, bucket);
      const uint fitting = before[i] < block.capacity ? min(count, block.capacity - before[i]) : 0;
      buckets.runs[bucket] = start + fitting;
      buckets.slots[bucket] = block.firstOutput + before[i] - start;
    }
  }
}

// Writes the thread's units to shared memory in the tile's order.
template <typename T, typename Units>
__device__ __forceinline__ void stageUnits(const uint4 (&rows)[T::kRows], const uint (&members)[T::kRows],
                                           Units staged) {
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    if (members[row] == SLU_DROPPED) continue;
    staged[placeOf(members[row]) * T::kUnitsOfRecord + T::firstWord() / 4] = rows[row];
  }
}

// Writes the slots of the thread's records, for emitSorted.
template <typename T, typename Words, typename Slots>
__device__ __forceinline__ void stageSlots(const uint (&members)[T::kRows], const BucketRuns<Words>& buckets,
                                           Slots slots) {
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const uint bucket = members[row] == SLU_DROPPED ? 0 : bucketOf(members[row]);  // as above
    const uint place = placeOf(members[row]);
    const uint end = buckets.runs[bucket];
    const uint slot = static_cast<uint>(buckets.slots[bucket]) + place;
    if (members[row] != SLU_DROPPED && T::isFirstUnit()) slots[place] = place < end ? slot : SLU_DROPPED;
  }
}

// Each block takes one tile. Blocks beyond a live count take no ticket.
template <uint kBlocks, uint kUnits>
__global__ void __launch_bounds__(kSortedThreads, residentBlocks(kBlocks, kSortedThreads))
    compactSortedStable(const __grid_constant__ Arguments arguments) {
  using T = SortedTile<kUnits, kSortedRows>;
  static_assert(kSortedStableRecordsPerBucket * 16 * kUnits >= 2 * T::kWarps, "room for the counters");
  using Publishing = Tile<T::kThreads, 1>;
  assumeFlatBlock();
  static_assert(4 * (Publishing::kCounts + 2 * T::kWarps + 4 + 4) <= kSortedDeclaredBytes);
  SLU_SHARED_ARRAY(uint, counts, Publishing::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(uint, totals, 3);
  SLU_SHARED_ARRAY(u64, taken, 1);
  SLU_SHARED_DYNAMIC(uint4, staged);
  SLU_SHARED_DYNAMIC(uint, words);             // the same memory: words after the units, sortedSharedBytes in all
  SLU_SHARED_DYNAMIC(unsigned short, halves);  // the same memory, before it holds the units

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  const bool isAligned = frame.copyWords >= 4;
  const auto slots = words + T::kTileWords;
  const auto runs = slots + T::kRecords;
  const BucketRuns<decltype(slots + 0)> bucketRuns = {runs, runs + frame.bucketCount};
  const WarpCounters<decltype(halves + 0)> counters = {halves + 0, (frame.bucketCount + 7) / 8};
  if (blockIdx.x >= tileCount) return;

  uint4 rows[T::kRows];
  const auto fetch = [&](uint tile) {
    const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kTileWords);
    const uint present = min(inputs - tile * T::kRecords, T::kRecords);
    if (isAligned && present == T::kRecords) {
      loadFullTile<T>(reinterpret_cast<const uint4*>(records), rows);
    } else {
      loadTile<T>(records, present, isAligned, arguments.plan.deadWord, rows);
    }
  };
  // Blocks mostly start in order. So the loads of the tile that the ticket should name begin before the ticket arrives.
  u64 ticket = 0;
  if (threadIdx.x == 0 && tileCount > 1) ticket = atomicAdd(progressOf(frame, view), 1ull);  // faster than takeTicket
  fetch(blockIdx.x);
  if (threadIdx.x == 0) taken[0] = ticket;
  __syncthreads();
  ticket = taken[0];
  const uint tile = static_cast<uint>(ticket);
  if (tile != blockIdx.x) fetch(tile);
  const bool isLast = tile == tileCount - 1;
  const BucketLookBack lookBack{arguments, tileCount > 1 ? static_cast<uint>(ticket >> 32) + 1 : 0};  // 0: no tickets
  if (tile == 0 && isClearing(lookBack.epoch, BucketLookBack::kLastEpoch)) clearOtherTiles<T>(lookBack, tileCount);
  if (isLast && tile != 0 && threadIdx.x == 0) {
    returnTicket(frame, view, lookBack.epoch, BucketLookBack::kLastEpoch);
  }

  uint members[T::kRows];
  uint rejects[SLU_REJECT_COUNT] = {};
  evaluateUnits<T>(arguments, rows, members, rejects);
  countRejects(arguments, view, tile, rejects);
  rankInWarp<T>(staged + 0, counters, members);
  __syncthreads();
  const uint kept = layOutRuns<T>(lookBack, tile, frame.bucketCount, counters, runs, sums);
  __syncthreads();
  placeInTile<T>(counters, members);
  __syncthreads();
  stageUnits<T>(rows, members, staged);
  reserveInOrder<T>(lookBack, tile, isLast, bucketRuns);
  __syncthreads();
  stageSlots<T>(members, bucketRuns, slots);
  __syncthreads();
  emitSorted<T>(arguments, view, kept, staged, slots, isAligned);
  if (!isLast) return;
  const auto demandedOf = [&](uint bucket) { return *demandedCounter(frame, view, bucket); };
  publishView<Publishing>(arguments, view, demandedOf, counts, totals);
}

}  // namespace slu::cuda
