// Several buckets. A tile counts its kept records per bucket in shared memory, and reserves once per tile and bucket.
//
// Stable order needs the counts of all earlier tiles per bucket. Of tiles as short as these, and of many buckets, they
// are too many words to look back over, as sorted_stable.cuh does: three launches (count, scan, scatter) over a fixed
// number of chunks of tiles, none of which waits for another.
#pragma once

#include "../steps/emit.cuh"
#include "../steps/evaluate.cuh"
#include "../steps/reserve.cuh"

namespace slu::cuda {

// The item's rank in record order among the warp's items of its bucket, after those that `counters` has; adds them to
// it. Lanes that agree are found by match, and add once.
template <typename Counters>
__device__ __forceinline__ uint countInBucket(uint bucket, Counters& counters) {
  const uint peers = __match_any_sync(kFullWarp, bucket);
  const uint leader = firstBit(peers);
  uint first = 0;
  if (bucket != SLU_DROPPED && laneOfWarp() == leader) {
    first = atomicAdd(&counters[bucket], countBits(peers));
  }
  return __shfl_sync(kFullWarp, first, static_cast<int>(leader)) + countBits(peers & lanesBelow());
}

__device__ __forceinline__ uint slotInBucket(const FrameBlock& frame, uint bucket, uint rank) {
  if (bucket == SLU_DROPPED) return SLU_DROPPED;
  const BucketBlock block = loadBucket(frame, bucket);
  return rank < block.capacity ? block.firstOutput + rank : SLU_DROPPED;
}

// Whether each thread should emit its own items: what it moves of each is short, and lists cost barriers.
__device__ __forceinline__ bool emitsDirectly(const Arguments& arguments) {
  const bool emitsRecords = (arguments.plan.outputs & SLU_OUTPUT_RECORDS_BIT) != 0;
  return !emitsRecords || (arguments.frame.copyWords == 4 && arguments.plan.recordWords <= 8);
}

// For emitsDirectly: the thread's items of a tile, at the slots it knows.
template <typename T>
__device__ __forceinline__ void emitItems(const Arguments& arguments, uint view, uint tileBase,
                                          const uint (&slots)[T::kItems]) {
  const FrameBlock& frame = arguments.frame;
  const u64 viewFirst = static_cast<u64>(view) * frame.outputsPerView;
  if ((arguments.plan.outputs & SLU_OUTPUT_INDICES_BIT) != 0) {
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if (slots[item] != SLU_DROPPED) at<uint>(frame.indices, viewFirst)[slots[item]] = tileBase + T::localOf(item);
    }
  }
  if ((arguments.plan.outputs & SLU_OUTPUT_RECORDS_BIT) == 0) return;
  const uint quads = arguments.plan.recordWords / 4;
  const uint4* from = at<const uint4>(frame.records, static_cast<u64>(tileBase) * quads);
  uint4* to = at<uint4>(frame.keptRecords, viewFirst * quads);
  for (uint part = 0; part < quads; ++part) {
    uint4 units[T::kItems] = {};
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if (slots[item] != SLU_DROPPED) units[item] = __ldcg(from + T::localOf(item) * quads + part);
    }
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if (slots[item] != SLU_DROPPED) to[static_cast<u64>(slots[item]) * quads + part] = units[item];
    }
  }
}

// Emits a tile whose items know their slots.
template <typename T, typename Counts, typename List, typename Slots>
__device__ __forceinline__ void emitSlots(const Arguments& arguments, uint view, uint tileBase,
                                          const uint (&buckets)[T::kItems], const uint (&slots)[T::kItems],
                                          Counts& counts, List& list, Slots& sharedSlots) {
  if (emitsDirectly(arguments)) return emitItems<T>(arguments, view, tileBase, slots);
  const uint flags = keptFlags(buckets);
  uint rowRanks[T::kRows];
  const uint kept = rankTile<T>(flags, rowRanks, counts);
  SLU_UNROLL
  for (uint item = 0; item < T::kItems; ++item) {
    if ((flags >> item & 1) == 0) continue;
    const uint k = itemRank<T>(flags, rowRanks, item);
    list[k] = static_cast<unsigned short>(T::localOf(item));
    sharedSlots[k] = slots[item];
  }
  __syncthreads();
  emitTile(
      arguments, view, tileBase, kept, [&](uint k) { return static_cast<uint>(list[k]); },
      [&](uint k) { return static_cast<uint>(sharedSlots[k]); }, [] {});
}

// What the threads of compactBuckets tell each other of a tile, by word; the totals of publishView take the same ones.
// kListed: how many records are listed; kDropped: how many of them have keys that the plan does not have.
struct Told {
  static constexpr uint kOverflows = 0, kListed = 1, kDropped = 2, kWords = 3;
};

// A kept record's bucket, and its place among those of the bucket and the tile.
struct Placement {
  static constexpr uint kPlaceBits = 10;
  static_assert(kTileRecords <= 1u << kPlaceBits && kCulledItems * kThreads <= 1u << kPlaceBits);

  uint word;

  __device__ static __forceinline__ uint of(uint bucket, uint place) { return bucket << kPlaceBits | place; }
  __device__ __forceinline__ bool exists() const { return word != SLU_DROPPED; }
  __device__ __forceinline__ uint bucket() const { return word >> kPlaceBits; }
  __device__ __forceinline__ uint place() const { return word & ((1u << kPlaceBits) - 1); }
};
static_assert(kMaxBuckets << Placement::kPlaceBits <= 1u << 31);  // none is SLU_DROPPED

// Lists the thread's kept items and their buckets, warp by warp as they come.
template <typename T, typename List, typename Buckets, typename Words>
__device__ __forceinline__ void listItems(const uint (&buckets)[T::kItems], List& list, Buckets& listed, Words& told) {
  uint votes[T::kItems];
  uint total = 0;
  SLU_UNROLL
  for (uint item = 0; item < T::kItems; ++item) {
    votes[item] = __ballot_sync(kFullWarp, buckets[item] != SLU_DROPPED);
    total += countBits(votes[item]);
  }
  uint next = 0;
  if (laneOfWarp() == 0) next = atomicAdd(&told[Told::kListed], total);
  next = __shfl_sync(kFullWarp, next, 0);
  SLU_UNROLL
  for (uint item = 0; item < T::kItems; ++item) {
    const uint k = next + countBits(votes[item] & lanesBelow());
    if (buckets[item] != SLU_DROPPED) {
      list[k] = static_cast<unsigned short>(T::localOf(item));
      listed[k] = buckets[item];
    }
    next += countBits(votes[item]);
  }
}

// Turns listed buckets into placements, and counts them; late keys come in here, when what is dropped is out of the
// way. Few at a time: the units that copyRecords has in flight leave few registers, and most lists are no longer.
template <typename Test, typename List, typename Placements, typename Counters, typename Words>
__device__ __forceinline__ void placeItems(const Arguments& arguments, uint tileBase, uint listedCount,
                                           const List& list, Placements& placements, Counters& counters, Words& told) {
  constexpr uint kShare = 2;
  SLU_NO_UNROLL
  for (uint first = threadIdx.x; first < listedCount; first += kShare * kThreads) {
    uint indices[kShare];
    uint buckets[kShare];
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint k = first + i * kThreads;
      indices[i] = k < listedCount ? tileBase + list[k] : 0;
      buckets[i] = k < listedCount ? static_cast<uint>(placements[k]) : SLU_DROPPED;
    }
    if (Test::keyTime(arguments.plan) == SLU_KEYS_AFTER_CULLING) applyKeys(arguments, indices, buckets);
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint k = first + i * kThreads;
      if (k >= listedCount) continue;
      uint placement = SLU_DROPPED;
      if (buckets[i] != SLU_DROPPED) {
        placement = Placement::of(buckets[i], atomicAdd(&counters[buckets[i]], 1u));
      } else {
        atomicAdd(&told[Told::kDropped], 1u);
      }
      placements[k] = placement;
    }
  }
}

// Turns the tile's counts per bucket into the slots where its records of each begin.
template <typename Counters, typename Words>
__device__ __forceinline__ void reserveBuckets(const FrameBlock& frame, uint view, Counters& counters, Words& told) {
  SLU_NO_UNROLL
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += kThreads) {
    const uint count = counters[bucket];
    if (count == 0) continue;
    const BucketBlock block = loadBucket(frame, bucket);
    const uint first = atomicAdd(demandedCounter(frame, view, bucket), count);
    counters[bucket] = block.firstOutput + first;
    if (first + count > block.capacity) atomicOr(&told[Told::kOverflows], 1u);
  }
}

// What a counter shows of a bucket of the view, if there is such a bucket.
__device__ __forceinline__ uint lookAtDemand(const FrameBlock& frame, uint view, uint bucket) {
  return bucket < frame.bucketCount ? loadRelaxed(demandedCounter(frame, view, bucket)) : 0;
}

// Returns when the view's counters show all of the `demanded` records, with what they show. Tiles arrive without
// waiting for these additions, which would take a fence, over a microsecond for each: the last one looks until all are
// there. Counters only grow within a frame. firstLook: what the thread's first counter showed earlier in the frame.
// totals: by bucket, in shared memory. Behind a barrier; holds two for each look.
template <typename T, typename Sums, typename Totals>
__device__ void awaitDemand(const FrameBlock& frame, uint view, uint demanded, uint firstLook, Sums sums,
                            Totals totals) {
  for (uint first = firstLook;; first = lookAtDemand(frame, view, threadIdx.x)) {
    uint sum = 0;
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
      const uint count = bucket == threadIdx.x ? first : lookAtDemand(frame, view, bucket);
      totals[bucket] = count;
      sum += count;
    }
    uint seen = 0;
    exclusiveSumOfBlock<T::kWarps>(sum, sums, seen);
    __syncthreads();
    if (seen >= demanded) return;
    __nanosleep(20);
  }
}

// Unordered. The loads of what is kept begin before it is known where it goes.
template <uint kBlocks, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactBuckets(const __grid_constant__ Arguments arguments) {
  using T = typename Test::Tile;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(unsigned short, list, T::kRecords);
  SLU_SHARED_ARRAY(uint, placements, T::kRecords);  // at first the buckets
  SLU_SHARED_ARRAY(uint, told, Told::kWords);
  SLU_SHARED_ARRAY(u64, earlier, 1);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  for (uint tile = blockIdx.x; tile < tileCount; tile += gridDim.x) {
    const uint tileBase = tile * T::kRecords;
    SLU_NO_UNROLL
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += kThreads) counters[bucket] = 0;
    if (threadIdx.x < Told::kWords) told[threadIdx.x] = 0;
    uint indices[T::kItems];
    uint buckets[T::kItems];
    uint rejects[SLU_REJECT_COUNT] = {};
    indicesOfTile<T>(tileBase, indices);
    evaluateEarly<Test>(arguments, view, indices, inputs, buckets, rejects);
    if constexpr (Test::kCountsRejects) countRejects(arguments, view, tile, rejects);
    __syncthreads();  // behind the first loads, which a barrier in front of them would hold up
    listItems<T>(buckets, list, placements, told);
    __syncthreads();
    const uint listedCount = told[Told::kListed];
    Reservation arrival{};
    uint demanded = 0;
    uint firstLook = 0;
    bool overflows = false;
    const auto ready = [&] {
      placeItems<Test>(arguments, tileBase, listedCount, list, placements, counters, told);
      __syncthreads();
      demanded = listedCount - told[Told::kDropped];
      u64 before = 0;
      // By the warp that reserves last, if at all: the block waits for the buckets meanwhile.
      const bool arrives = threadIdx.x == kThreads - kWarp;
      if (arrives) before = reserve(arguments, view, demanded, tileCount);
      reserveBuckets(frame, view, counters, told);
      if (arrives) earlier[0] = before;
      __syncthreads();
      overflows = told[Told::kOverflows] != 0;
      arrival = {earlier[0]};
      if (arrival.isLast(tileCount)) firstLook = lookAtDemand(frame, view, threadIdx.x);
    };
    const auto slotOf = [&](uint k) {
      const Placement placement{static_cast<uint>(placements[k])};
      const uint bucket = placement.exists() ? placement.bucket() : 0;  // there in any case: no branch
      const uint slot = static_cast<uint>(counters[bucket]) + placement.place();
      if (!overflows) return placement.exists() ? slot : SLU_DROPPED;
      const BucketBlock block = loadBucket(frame, bucket);
      return placement.exists() && slot - block.firstOutput < block.capacity ? slot : SLU_DROPPED;
    };
    emitTile<Test::kCopyUnitsByBucket>(
        arguments, view, tileBase, listedCount, [&](uint k) { return static_cast<uint>(list[k]); }, slotOf, ready);
    __syncthreads();
    if (!arrival.isLast(tileCount)) continue;
    if (threadIdx.x == 0) resetProgress(frame, view);
    awaitDemand<T>(frame, view, arrival.first() + demanded, firstLook, &counts[0], &counters[0]);
    const auto demandedOf = [&](uint bucket) { return static_cast<uint>(counters[bucket]); };
    publishView<T>(arguments, view, demandedOf, counts, told);
  }
}

// Tiles of a chunk: first and one beyond the last.
struct ChunkTiles {
  uint first;
  uint end;
};

__device__ __forceinline__ ChunkTiles tilesOfChunk(const FrameBlock& frame, uint chunk, uint inputs, uint tileRecords) {
  const uint tileCount = (inputs + tileRecords - 1) / tileRecords;
  const uint tilesPerChunk = (tileCount + frame.chunkCount - 1) / frame.chunkCount;
  return {min(chunk * tilesPerChunk, tileCount), min((chunk + 1) * tilesPerChunk, tileCount)};
}

// The chunk's counter of a bucket of the view.
__device__ __forceinline__ uint* chunkCounter(const FrameBlock& frame, uint view, uint bucket, uint chunk) {
  const u64 segment = view * frame.bucketCount + bucket;
  return at<uint>(frame.chunkCounts, segment * frame.chunkCount + chunk);
}

// x: chunk, y: view. One block of a multiprocessor needs no bound.
template <uint, typename Test>
__global__ void __launch_bounds__(kThreads) countBuckets(const __grid_constant__ Arguments arguments) {
  using T = typename Test::Tile;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) counters[bucket] = 0;
  __syncthreads();
  uint rejects[SLU_REJECT_COUNT] = {};
  const ChunkTiles tiles = tilesOfChunk(frame, blockIdx.x, inputs, T::kRecords);
  for (uint tile = tiles.first; tile < tiles.end; ++tile) {
    uint buckets[T::kItems];
    evaluateTile<T, Test>(arguments, view, tile * T::kRecords, inputs, buckets, rejects);
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) countInBucket(buckets[item], counters);
  }
  __syncthreads();
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
    *chunkCounter(frame, view, bucket, blockIdx.x) = counters[bucket];
  }
  countRejects(arguments, view, blockIdx.x, rejects);
}

// x: chunk, y: view. Warps take turns in record order, so that ranks within a bucket follow it. The buckets' totals are
// known already, so that the first block publishes.
template <uint kBlocks, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    scatterBuckets(const __grid_constant__ Arguments arguments) {
  using T = typename Test::Tile;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(unsigned short, list, T::kRecords);
  SLU_SHARED_ARRAY(uint, sharedSlots, T::kRecords);
  SLU_SHARED_ARRAY(uint, totals, 3);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
    counters[bucket] = *chunkCounter(frame, view, bucket, blockIdx.x);
  }
  uint rejects[SLU_REJECT_COUNT] = {};  // counted already
  const ChunkTiles tiles = tilesOfChunk(frame, blockIdx.x, inputs, T::kRecords);
  for (uint tile = tiles.first; tile < tiles.end; ++tile) {
    const uint tileBase = tile * T::kRecords;
    uint buckets[T::kItems];
    evaluateTile<T, Test>(arguments, view, tileBase, inputs, buckets, rejects);
    uint slots[T::kItems];
    for (uint turn = 0; turn < T::kWarps; ++turn) {
      __syncthreads();
      if (turn != warpOfBlock()) continue;
      SLU_UNROLL
      for (uint item = 0; item < T::kItems; ++item) slots[item] = countInBucket(buckets[item], counters);
    }
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) slots[item] = slotInBucket(frame, buckets[item], slots[item]);
    emitSlots<T>(arguments, view, tileBase, buckets, slots, counts, list, sharedSlots);
    __syncthreads();
  }
  if (blockIdx.x != 0) return;
  const auto demandedOf = [&](uint bucket) { return *demandedCounter(frame, view, bucket); };
  publishView<T>(arguments, view, demandedOf, counts, totals);
}

}  // namespace slu::cuda
