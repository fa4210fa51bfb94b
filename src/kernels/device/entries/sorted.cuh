// Moves records of 16, 32, 48 and 64 bytes into several buckets, in any order. A tile's survivors are sorted by bucket
// in shared memory, and those of a bucket are stored together. With many buckets, each takes few records of a tile, and
// stores of single records would touch a sector of memory each.
//
// The larger the tile, the more neighbouring records a bucket gets and the fewer atomics there are. So blocks use more
// shared memory than kernels may declare, and launches ask for it.
#pragma once

#include "../entries/bucketed.cuh"
#include "../movers/wide.cuh"

namespace slu::cuda {

template <uint kUnits, uint kRows>
using SortedTile = WideTile<4, kUnits, kSortedThreads, kRows>;
static_assert(SortedTile<1, kSortedRows>::kRecords == sortedTileRecords(1, kSortedRows));
static_assert(SortedTile<3, kSortedRows>::kRecords == sortedTileRecords(3, kSortedRows));

// Does what loadTile does, for a full tile in memory that is aligned to units: a load per row and nothing else.
template <typename T>
__device__ __forceinline__ void loadFullTile(const uint4* units, uint4 (&rows)[T::kRows]) {
  const uint4* own = units + T::unitOf(0);
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) rows[row] = T::isIdle() ? uint4{} : __ldcg(own + row * T::kLanes);
}

// Returns the word of the record that holds its key, to all of its lanes.
template <typename T>
__device__ __forceinline__ uint keyOfRecord(const FrameBlock& frame, const uint4& unit) {
  const uint part = frame.keyOffset % 4;
  const uint word = part == 0 ? unit.x : part == 1 ? unit.y : part == 2 ? unit.z : unit.w;
  if constexpr (T::kUnitsOfRecord == 1) return word;
  const uint lane = firstLaneOfRecord<T::kUnitsOfRecord>() + frame.keyOffset / 4;
  return __shfl_sync(kFullWarp, word, static_cast<int>(lane % kWarp));
}

// Finds the buckets of the thread's records, or SLU_DROPPED for those that are not kept. Counts rejects.
template <typename T>
__device__ __forceinline__ void evaluateUnits(const Arguments& arguments, const uint4 (&rows)[T::kRows],
                                              uint (&buckets)[T::kRows], uint (&rejects)[SLU_REJECT_COUNT]) {
  const FrameBlock& frame = arguments.frame;
  const uint tested = testedWords<T>(frame);
  uint live = 0;
  withWordTest(arguments, [&](const auto& isLive) {
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) live |= (liveMask(isLive, rows[row]) & tested) != 0 ? 1u << row : 0;
  });
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    bool isLive = (live >> row & 1) != 0;
    if constexpr (T::kUnitsOfRecord > 1) isLive = anyOfRecord<T::kUnitsOfRecord>(__ballot_sync(kFullWarp, isLive));
    const uint bucket = sluKey(keyOfRecord<T>(frame, rows[row]), frame.keyShift, frame.keyMask);
    const bool isKey = sluIsKey(bucket, frame.keyCount);
    buckets[row] = isLive && isKey ? bucket : SLU_DROPPED;
    if (isLive && !isKey && T::isFirstUnit()) ++rejects[SLU_REJECT_KEY];
  }
}

// A member is a kept record in one word: its bucket (upper half), and its place among the tile's records of the bucket
// (lower half).
__device__ __forceinline__ uint memberOf(uint bucket, uint place) { return bucket << 16 | place; }
__device__ __forceinline__ uint bucketOf(uint member) { return member >> 16; }
__device__ __forceinline__ uint placeOf(uint member) { return member & 0xffffu; }
static_assert(kMaxBuckets < 0xffff && sortedTileRecords(1, kSortedRows) <= 0xffff);

// Counts the thread's records in `runs`, and finds their places. members: buckets on entry, members on return,
// SLU_DROPPED for records that are not kept. Those that are not kept count in a word of their lane after the runs, so
// that without branches all atomics are in flight at once.
template <typename T, typename Runs>
__device__ __forceinline__ void joinBuckets(Runs runs, uint bucketCount, uint (&members)[T::kRows]) {
  uint places[T::kRows];
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    const bool counts = members[row] != SLU_DROPPED && T::isFirstUnit();
    places[row] = atomicAdd(&runs[counts ? members[row] : bucketCount + laneOfWarp()], 1u);
  }
  SLU_UNROLL
  for (uint row = 0; row < T::kRows; ++row) {
    if constexpr (T::kUnitsOfRecord > 1) {
      const uint lane = firstLaneOfRecord<T::kUnitsOfRecord>();
      places[row] = __shfl_sync(kFullWarp, places[row], static_cast<int>(lane));
    }
    if (members[row] != SLU_DROPPED) members[row] = memberOf(members[row], places[row]);
  }
}

// The run of a bucket is what a tile keeps for it. runs: where the run begins in the tile's order (upper half), and how
// many of its records fit (lower half). Both are at most the number of records of a tile. slots: the output slot of the
// run's first record.
template <typename Words>
struct BucketRuns {
  Words runs;
  Words slots;
};

// Reserves output slots for each bucket, and lays out the runs one after the other. buckets.runs: on entry, how many
// records each bucket has. Returns the sum of these. Each thread has kShare atomics in flight.
template <typename T, typename Words, typename Sums>
__device__ __forceinline__ uint reserveRuns(const FrameBlock& frame, uint view, const BucketRuns<Words>& buckets,
                                            Sums sums) {
  constexpr uint kShare = 2;
  uint kept = 0;
  for (uint round = 0; round * kShare * T::kThreads < frame.bucketCount; ++round) {
    const uint base = round * kShare * T::kThreads + threadIdx.x;
    uint counts[kShare];
    uint firsts[kShare] = {};
    BucketBlock blocks[kShare] = {};
    uint sum = 0;
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint bucket = base + i * T::kThreads;
      counts[i] = bucket < frame.bucketCount ? static_cast<uint>(buckets.runs[bucket]) : 0;
      sum += counts[i];
    }
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint bucket = base + i * T::kThreads;
      if (counts[i] == 0) continue;
      firsts[i] = atomicAdd(demandedCounter(frame, view, bucket), counts[i]);
      blocks[i] = loadBucket(frame, bucket);
    }
    uint start = exclusiveSumOfBlock<T::kWarps>(sum, &sums[round % 2 * T::kWarps], kept);
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint bucket = base + i * T::kThreads;
      if (bucket >= frame.bucketCount) continue;
      const uint capacity = blocks[i].capacity;
      const uint fitting = firsts[i] < capacity ? min(counts[i], capacity - firsts[i]) : 0;
      buckets.runs[bucket] = start << 16 | fitting;
      buckets.slots[bucket] = blocks[i].firstOutput + firsts[i];
      start += counts[i];
    }
  }
  return kept;
}

// Writes the thread's units, and the slot of each record, to shared memory in the tile's order.
template <typename T, typename Words, typename Units, typename Slots>
__device__ __forceinline__ void stageSorted(const uint4 (&rows)[T::kRows], const uint (&members)[T::kRows],
                                            const BucketRuns<Words>& buckets, Units staged, Slots slots) {
  constexpr uint kStep = 4;  // rows whose places are found before the first of them is written
  static_assert(T::kRows % kStep == 0);
  SLU_UNROLL
  for (uint first = 0; first < T::kRows; first += kStep) {
    uint places[kStep] = {};
    uint rowSlots[kStep] = {};
    SLU_UNROLL
    for (uint i = 0; i < kStep; ++i) {
      const uint member = members[first + i];
      const uint bucket = member == SLU_DROPPED ? 0 : bucketOf(member);  // bucket 0 exists in any plan: no branch
      const uint run = buckets.runs[bucket];
      const uint firstSlot = buckets.slots[bucket];
      places[i] = (run >> 16) + placeOf(member);
      rowSlots[i] = placeOf(member) < (run & 0xffffu) ? firstSlot + placeOf(member) : SLU_DROPPED;
    }
    SLU_UNROLL
    for (uint i = 0; i < kStep; ++i) {
      if (members[first + i] == SLU_DROPPED) continue;
      staged[places[i] * T::kUnitsOfRecord + T::firstWord() / 4] = rows[first + i];
      if (T::isFirstUnit()) slots[places[i]] = rowSlots[i];
    }
  }
}

// Stores the tile's records in the tile's order, with kFlight units in flight per thread. slots: place in the order ->
// output slot within the view, or SLU_DROPPED.
template <typename T, typename Units, typename Slots>
__device__ __forceinline__ void emitSorted(const Arguments& arguments, uint view, uint kept, const Units& staged,
                                           const Slots& slots, bool isAligned) {
  constexpr uint kFlight = 4;
  constexpr uint kUnits = T::kUnitsOfRecord;
  const u64 viewFirst = static_cast<u64>(view) * arguments.frame.outputsPerView;
  const uint unitCount = kept * kUnits;
  for (uint first = threadIdx.x; first < unitCount; first += kFlight * T::kThreads) {
    uint4 units[kFlight];
    uint places[kFlight];
    SLU_UNROLL
    for (uint i = 0; i < kFlight; ++i) {
      const uint unit = first + i * T::kThreads;
      places[i] = SLU_DROPPED;
      if (unit >= unitCount) continue;
      places[i] = slots[unit / kUnits];
      units[i] = staged[unit];
    }
    SLU_UNROLL
    for (uint i = 0; i < kFlight; ++i) {
      const uint part = (first + i * T::kThreads) % kUnits;
      if (places[i] == SLU_DROPPED) continue;
      storeUnit(at<uint4>(arguments.frame.keptRecords, (viewFirst + places[i]) * kUnits + part), units[i], isAligned);
    }
  }
}

// Each block takes one tile. In a loop over tiles, what does not change would take registers that records need. Blocks
// beyond a live count have no tile.
template <uint kBlocks, uint kUnits, uint kRows>
__global__ void __launch_bounds__(kSortedThreads, residentBlocks(kBlocks, kSortedThreads))
    compactSorted(const __grid_constant__ Arguments arguments) {
  using T = SortedTile<kUnits, kRows>;
  static_assert(kRows == kSortedRows || kRows == kSortedShortRows);
  using Publishing = Tile<T::kThreads, 1>;
  assumeFlatBlock();
  static_assert(4 * (Publishing::kCounts + 2 * T::kWarps + 4 + 4) <= kSortedDeclaredBytes);
  SLU_SHARED_ARRAY(uint, counts, Publishing::kCounts);
  SLU_SHARED_ARRAY(uint, sums, 2 * T::kWarps);
  SLU_SHARED_ARRAY(uint, totals, 3);
  SLU_SHARED_ARRAY(u64, earlier, 1);
  SLU_SHARED_DYNAMIC(uint4, staged);
  SLU_SHARED_DYNAMIC(uint, words);  // the same memory: words after the units, sortedSharedBytes in all

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  const bool isAligned = frame.copyWords >= 4;
  const auto slots = words + T::kTileWords;
  const auto runs = slots + T::kRecords;
  const uint counterCount = frame.bucketCount + kWarp;
  const BucketRuns<decltype(slots + 0)> bucketRuns = {runs, runs + counterCount};

  const uint tile = blockIdx.x;
  if (tile >= tileCount) return;

  uint4 rows[T::kRows];
  const uint* records = at<const uint>(frame.records, static_cast<u64>(tile) * T::kTileWords);
  const uint present = min(inputs - tile * T::kRecords, T::kRecords);
  if (isAligned && present == T::kRecords) {
    loadFullTile<T>(reinterpret_cast<const uint4*>(records), rows);
  } else {
    loadTile<T>(records, present, isAligned, arguments.plan.deadWord, rows);
  }
  for (uint i = threadIdx.x; i < counterCount; i += T::kThreads) runs[i] = 0;
  uint members[T::kRows];
  uint rejects[SLU_REJECT_COUNT] = {};
  evaluateUnits<T>(arguments, rows, members, rejects);
  __syncthreads();  // after what a warp can do as soon as its own loads have arrived
  joinBuckets<T>(runs, frame.bucketCount, members);
  countRejects(arguments, view, tile, rejects);
  __syncthreads();
  const uint kept = reserveRuns<T>(frame, view, bucketRuns, sums);
  __syncthreads();
  u64 before = 0;
  if (threadIdx.x == 0) before = reserve(arguments, view, kept, tileCount);
  stageSorted<T>(rows, members, bucketRuns, staged, slots);
  __syncthreads();
  emitSorted<T>(arguments, view, kept, staged, slots, isAligned);
  if (threadIdx.x == 0) earlier[0] = before;
  __syncthreads();
  const Reservation arrival{earlier[0]};
  if (!arrival.isLast(tileCount)) return;
  if (threadIdx.x == 0) resetProgress(frame, view);
  const uint firstLook = lookAtDemand(frame, view, threadIdx.x);
  awaitDemand<T>(frame, view, arrival.first() + kept, firstLook, sums, bucketRuns.runs);
  const auto demandedOf = [&](uint bucket) { return static_cast<uint>(bucketRuns.runs[bucket]); };
  publishView<Publishing>(arguments, view, demandedOf, counts, totals);
}

}  // namespace slu::cuda
