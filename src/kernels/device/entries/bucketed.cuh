// Compacts into several buckets. A tile counts its kept records per bucket in shared memory, and reserves once per
// bucket.
//
// Stable order needs the counts of all earlier tiles per bucket. sorted_stable.cuh looks back over them. With tiles as
// short as these, or with many buckets, that would be too many words. Three launches (count, scan, scatter) then go
// over a fixed number of chunks of tiles, none of which waits for another. The first one keeps what it decides of each
// record, so that the last one need not evaluate.
#pragma once

#include "../steps/candidates.cuh"
#include "../steps/emit.cuh"
#include "../steps/reserve.cuh"

namespace slu::cuda {

// The lanes of a warp whose items have the same bucket, and in the first of them how many items were counted before.
struct Peers {
  uint lanes;
  uint before;
};

// Counts the warp's items in `counters`. Lanes with the same bucket find each other by match, and one of them adds for
// all.
template <typename Counters>
__device__ __forceinline__ Peers countPeers(uint bucket, Counters& counters) {
  Peers peers{__match_any_sync(kFullWarp, bucket), 0};
  if (bucket != SLU_DROPPED && laneOfWarp() == firstBit(peers.lanes)) {
    peers.before = atomicAdd(&counters[bucket], countBits(peers.lanes));
  }
  return peers;
}

// Returns the item's rank in record order among the items of its bucket, after those that were counted before.
__device__ __forceinline__ uint rankAmong(const Peers& peers) {
  const uint before = __shfl_sync(kFullWarp, peers.before, static_cast<int>(firstBit(peers.lanes)));
  return before + countBits(peers.lanes & lanesBelow());
}

template <typename Counters>
__device__ __forceinline__ uint countInBucket(uint bucket, Counters& counters) {
  return rankAmong(countPeers(bucket, counters));
}

__device__ __forceinline__ uint slotInBucket(const FrameBlock& frame, uint view, uint bucket, uint rank) {
  if (bucket == SLU_DROPPED) return SLU_DROPPED;
  const uint2 place = placeOf(frame, view, bucket);
  return rank < place.x ? place.y + rank : SLU_DROPPED;
}

// Returns whether each thread emits its own items. That is faster if little is moved for each, since a list costs
// barriers.
__device__ __forceinline__ bool emitsDirectly(const Arguments& arguments) {
  const bool emitsRecords = (arguments.plan.outputs & SLU_OUTPUT_RECORDS_BIT) != 0;
  return !emitsRecords || (arguments.frame.copyWords == 4 && arguments.plan.recordWords <= 8);
}

// Emits the thread's items of a tile, if emitsDirectly. slots: of the items.
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

// Emits a tile. buckets, slots: of the thread's items.
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

// Words of shared memory in which the threads of compactBuckets gather what concerns the whole tile. publishView uses
// the same words for its totals. kOverflows: 1 if a bucket is full. kListed: how many records are listed. kDropped: how
// many of them have keys that the plan does not have. kCandidates: as Listed's.
struct Told {
  static constexpr uint kOverflows = 0, kListed = 1, kDropped = 2, kCandidates = 3, kWords = 4;
};

// The bucket of a kept record, and its place among the tile's records of that bucket.
struct Placement {
  static constexpr uint kPlaceBits = 11;
  static_assert(kTileRecords <= 1u << kPlaceBits && kCulledItems * kThreads <= 1u << kPlaceBits);
  static_assert(kCandidateTiles * kSceneItems * kThreads <= 1u << kPlaceBits);

  uint word;

  __device__ static __forceinline__ uint of(uint bucket, uint place) { return bucket << kPlaceBits | place; }
  __device__ __forceinline__ bool exists() const { return word != SLU_DROPPED; }
  __device__ __forceinline__ uint bucket() const { return word >> kPlaceBits; }
  __device__ __forceinline__ uint place() const { return word & ((1u << kPlaceBits) - 1); }
};
static_assert(kMaxBuckets << Placement::kPlaceBits <= 1u << 31);  // no placement is SLU_DROPPED

// Lists the kept items by their numbers within the tile, and their buckets. Warps list theirs in the order in which they
// arrive.
template <uint kItems, typename List, typename Buckets, typename Words>
__device__ __forceinline__ void listItems(const uint (&locals)[kItems], const uint (&buckets)[kItems], List& list,
                                          Buckets& listed, Words& told) {
  uint votes[kItems];
  uint total = 0;
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    votes[item] = __ballot_sync(kFullWarp, buckets[item] != SLU_DROPPED);
    total += countBits(votes[item]);
  }
  uint next = 0;
  if (laneOfWarp() == 0) next = atomicAdd(&told[Told::kListed], total);
  next = __shfl_sync(kFullWarp, next, 0);
  SLU_UNROLL
  for (uint item = 0; item < kItems; ++item) {
    const uint k = next + countBits(votes[item] & lanesBelow());
    if (buckets[item] != SLU_DROPPED) {
      list[k] = static_cast<unsigned short>(locals[item]);
      listed[k] = buckets[item];
    }
    next += countBits(votes[item]);
  }
}

// Tests the records of a tile or a batch, and lists what is kept with its buckets. All threads of the block call this, which
// ends with a barrier.
template <typename T, typename Test, typename List, typename Buckets, typename Words>
__device__ __forceinline__ void listTile(const Arguments& arguments, uint view, uint inputs,
                                         const Batches<T, Test>& batches, uint tile, List& list, Buckets& listed,
                                         Words& told) {
  const auto test = [&](const uint(&indices)[T::kItems], const uint(&locals)[T::kItems]) {
    uint buckets[T::kItems];
    uint rejects[SLU_REJECT_COUNT] = {};
    evaluateEarly<Test>(arguments, view, indices, inputs, buckets, rejects);
    if constexpr (Test::kCountsRejects) countRejects<Test::kIsScene>(arguments, view, tile, rejects);
    __syncthreads();  // after the first loads, which a barrier before them would delay
    listItems(locals, buckets, list, listed, told);
  };
  forParts<T, unsigned short>(arguments, view, inputs, batches, tile, list, &told[Told::kCandidates], test);
  __syncthreads();
}

// Turns listed buckets into placements, and counts them. Keys that are loaded after culling are loaded here, when only
// kept records are left. A thread places kShare items at a time: the units that copyRecords has in flight leave few
// registers, and most lists are no longer. list(k): how far from tileBase the k-th record lies.
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
      indices[i] = k < listedCount ? tileBase + list(k) : 0;
      buckets[i] = k < listedCount ? static_cast<uint>(placements[k]) : SLU_DROPPED;
    }
    if (leavesKeysOut<Test>(arguments)) applyKeys<Test>(arguments, indices, buckets);
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

// Reserves for each bucket. counters: on entry the tile's count of the bucket, on return the slot where its records of
// the bucket begin.
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

// Returns the counter of a bucket of the view, or 0 if there is no such bucket.
__device__ __forceinline__ uint lookAtDemand(const FrameBlock& frame, uint view, uint bucket) {
  return bucket < frame.bucketCount ? loadRelaxed(demandedCounter(frame, view, bucket)) : 0;
}

// Polls the view's counters until their sum is `demanded`, and writes them to totals. A tile arrives without waiting
// for its additions to these counters, because that would take a fence of over a microsecond per tile. So the last tile
// polls until all additions are there. Counters only grow within a frame. firstLook: the thread's first counter, as
// loaded earlier in the frame. totals: a word of shared memory per bucket. Is called after a barrier, and contains two
// per poll.
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

// Compacts in any order. The loads of kept records start before their slots are known.
template <uint kBlocks, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    compactBuckets(const __grid_constant__ Arguments arguments) {
  using T = typename Test::Tile;
  constexpr uint kListed = Batches<T, Test>::kMostRecords;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(unsigned short, list, kListed);
  SLU_SHARED_ARRAY(uint, placements, kListed);  // the buckets at first
  SLU_SHARED_ARRAY(uint, told, Told::kWords);
  SLU_SHARED_ARRAY(u64, earlier, 1);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const Batches<T, Test> batches(arguments, inputs);
  const uint tileCount = batches.count();
  for (uint tile = blockIdx.x; tile < tileCount; tile += gridDim.x) {
    const uint tileBase = batches.begin(tile);
    const auto offsets = [&](uint k) { return batches.offsetOf(list[k]); };
    SLU_NO_UNROLL
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += kThreads) counters[bucket] = 0;
    if (threadIdx.x < Told::kWords) told[threadIdx.x] = 0;
    listTile<T, Test>(arguments, view, inputs, batches, tile, list, placements, told);
    const uint listedCount = told[Told::kListed];
    Reservation arrival{};
    uint demanded = 0;
    uint firstLook = 0;
    bool overflows = false;
    const auto ready = [&] {
      placeItems<Test>(arguments, tileBase, listedCount, offsets, placements, counters, told);
      __syncthreads();
      demanded = listedCount - told[Told::kDropped];
      u64 before = 0;
      // The last warp arrives, because it reserves for buckets only if there are many. The block waits for the buckets
      // meanwhile.
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
      const uint bucket = placement.exists() ? placement.bucket() : 0;  // bucket 0 exists in any plan: no branch
      const uint slot = static_cast<uint>(counters[bucket]) + placement.place();
      if (!overflows) return placement.exists() ? slot : SLU_DROPPED;
      const BucketBlock block = loadBucket(frame, bucket);
      return placement.exists() && slot - block.firstOutput < block.capacity ? slot : SLU_DROPPED;
    };
    emitTile<Test::kCopyUnitsByBucket>(arguments, view, tileBase, listedCount, offsets, slotOf, ready);
    __syncthreads();
    if (!arrival.isLast(tileCount)) continue;
    if (threadIdx.x == 0) resetProgress(frame, view);
    if (publishesApart(frame)) continue;
    awaitDemand<T>(frame, view, arrival.first() + demanded, firstLook, &counts[0], &counters[0]);
    const auto demandedOf = [&](uint bucket) { return static_cast<uint>(counters[bucket]); };
    publishView<T, Test::kIsScene>(arguments, view, demandedOf, counts, told);
  }
}

// The tiles of a chunk: the first one, and the one after the last.
struct ChunkTiles {
  uint first;
  uint end;
};

__device__ __forceinline__ ChunkTiles tilesOfChunk(const FrameBlock& frame, uint chunk, uint inputs, uint tileRecords) {
  const uint tileCount = (inputs + tileRecords - 1) / tileRecords;
  const uint tilesPerChunk = (tileCount + frame.chunkCount - 1) / frame.chunkCount;
  return {min(chunk * tilesPerChunk, tileCount), min((chunk + 1) * tilesPerChunk, tileCount)};
}

// Returns the chunk's counter of a bucket of the view.
__device__ __forceinline__ uint* chunkCounter(const FrameBlock& frame, uint view, uint bucket, uint chunk) {
  const u64 segment = view * frame.bucketCount + bucket;
  return at<uint>(frame.chunkCounts, segment * frame.chunkCount + chunk);
}

// Returns what countBuckets has decided of a record of the view: its bucket, in 16 bits.
__device__ __forceinline__ unsigned short* decisionAt(const PlanConstants& plan, uint view, uint index) {
  return at<unsigned short>(plan.decisions, static_cast<u64>(view) * plan.viewRecords + index);
}
static_assert(kMaxBuckets < (SLU_DROPPED & 0xffffu));

// Counts the records of a chunk per bucket, and keeps what it decides. x: chunk, y: view. Its row of list.h asks for one
// block per multiprocessor, which needs no launch bound.
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
    const uint tileBase = tile * T::kRecords;
    evaluateTile<T, Test>(arguments, view, tileBase, inputs, buckets, rejects);
    if (arguments.plan.decisions != 0) {
      SLU_UNROLL
      for (uint item = 0; item < T::kItems; ++item) {
        *decisionAt(arguments.plan, view, tileBase + T::localOf(item)) = static_cast<unsigned short>(buckets[item]);
      }
    }
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) countPeers(buckets[item], counters);
  }
  __syncthreads();
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
    *chunkCounter(frame, view, bucket, blockIdx.x) = counters[bucket];
  }
  countRejects<Test::kIsScene>(arguments, view, blockIdx.x, rejects);
}

// Emits the kept records of the block's chunk, which begins with record `begin` and ends before `end`. Warps take turns
// in record order, so that ranks within a bucket follow it. scanBuckets has written the totals of the buckets, so that
// the first block can publish, unless a launch has published the view. findBuckets(tileBase, buckets): finds those of
// the thread's items.
template <typename T, bool kIsScene, typename FindBuckets>
__device__ __forceinline__ void scatterChunk(const Arguments& arguments, uint begin, uint end,
                                             const FindBuckets& findBuckets) {
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(unsigned short, list, T::kRecords);
  SLU_SHARED_ARRAY(uint, sharedSlots, T::kRecords);
  SLU_SHARED_ARRAY(uint, totals, 3);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
    counters[bucket] = *chunkCounter(frame, view, bucket, blockIdx.x);
  }
  for (uint tileBase = begin; tileBase < end; tileBase += T::kRecords) {
    uint buckets[T::kItems];
    findBuckets(tileBase, buckets);
    uint slots[T::kItems];
    for (uint turn = 0; turn < T::kWarps; ++turn) {
      __syncthreads();
      if (turn != warpOfBlock()) continue;
      SLU_UNROLL
      for (uint item = 0; item < T::kItems; ++item) slots[item] = countInBucket(buckets[item], counters);
    }
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) slots[item] = slotInBucket(frame, view, buckets[item], slots[item]);
    emitSlots<T>(arguments, view, tileBase, buckets, slots, counts, list, sharedSlots);
    __syncthreads();
  }
  if (blockIdx.x != 0 || publishesApart(frame)) return;
  const auto demandedOf = [&](uint bucket) { return *demandedCounter(frame, view, bucket); };
  publishView<T, kIsScene>(arguments, view, demandedOf, counts, totals);
}

// Emits the kept records of a chunk, and evaluates them once more. It is for plans whose decisions would take too much
// memory. x: chunk, y: view.
template <uint kBlocks, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    scatterBuckets(const __grid_constant__ Arguments arguments) {
  using T = typename Test::Tile;
  assumeFlatBlock();
  const uint inputs = inputCount(arguments.frame);
  const ChunkTiles tiles = tilesOfChunk(arguments.frame, blockIdx.x, inputs, T::kRecords);
  uint rejects[SLU_REJECT_COUNT] = {};  // countBuckets has counted them
  const auto findBuckets = [&](uint tileBase, uint(&buckets)[T::kItems]) {
    evaluateTile<T, Test>(arguments, blockIdx.y, tileBase, inputs, buckets, rejects);
  };
  scatterChunk<T, Test::kIsScene>(arguments, tiles.first * T::kRecords, tiles.end * T::kRecords, findBuckets);
}

// Emits the kept records of a chunk by what was decided of them. It is for all plans, also those of scenes, and for
// chunks of tiles of any size. x: chunk, y: view.
template <uint kBlocks>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    scatterDecided(const __grid_constant__ Arguments arguments) {
  using T = device::Tile<kThreads, kTileRecords / kThreads, 1>;
  constexpr bool kIsScene = true;
  assumeFlatBlock();
  const PlanConstants& plan = arguments.plan;
  const uint bucketCount = arguments.frame.bucketCount;
  const uint inputs = inputCount(arguments.frame);
  const ChunkTiles tiles = tilesOfChunk(arguments.frame, blockIdx.x, inputs, plan.tileRecords);
  const uint end = min(tiles.end * plan.tileRecords, inputs);
  const auto findBuckets = [&](uint tileBase, uint(&buckets)[T::kItems]) {
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      const uint index = tileBase + T::localOf(item);
      buckets[item] = index < end ? __ldcg(decisionAt(plan, blockIdx.y, index)) : SLU_DROPPED;
    }
    // If the host raises its live count in mid-frame, nothing was decided of the last records.
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if (buckets[item] >= bucketCount) buckets[item] = SLU_DROPPED;
    }
  };
  scatterChunk<T, kIsScene>(arguments, tiles.first * plan.tileRecords, end, findBuckets);
}

}  // namespace slu::cuda
