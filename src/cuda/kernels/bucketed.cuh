// Several buckets. A tile counts its kept records per bucket in shared memory, and reserves once per tile and bucket.
//
// Stable order needs the counts of all earlier tiles per bucket, too many words to look back over: three launches
// (count, scan, scatter) over a fixed number of chunks of tiles, none of which waits for another.
#pragma once

#include "emit.cuh"
#include "evaluate.cuh"
#include "reserve.cuh"

namespace slu::cuda {

constexpr uint kMaxBuckets = 4096;

using BucketedTile = Tile<kThreads, 4, 1>;
static_assert(BucketedTile::kRecords == kTileRecords);

// The item's rank in record order among the warp's items of its bucket, after those that `counters` has; adds them to it.
// Lanes that agree are found by match, and add once.
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
      [&](uint k) { return static_cast<uint>(sharedSlots[k]); });
}

template <typename Live>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBucketedBlocks))
    compactBuckets(const __grid_constant__ Arguments arguments) {
  using T = BucketedTile;
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(unsigned short, list, T::kRecords);
  SLU_SHARED_ARRAY(uint, sharedSlots, T::kRecords);
  SLU_SHARED_ARRAY(uint, slots, 3);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const uint tileCount = tileCountOf(inputs, T::kRecords);
  for (uint tile = blockIdx.x; tile < tileCount; tile += gridDim.x) {
    const uint tileBase = tile * T::kRecords;
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) counters[bucket] = 0;
    uint buckets[T::kItems];
    uint rejects[SLU_REJECTS_COUNT] = {};
    evaluateTile<T, Live>(arguments, view, tileBase, inputs, buckets, rejects);
    countRejects(arguments, view, tile, rejects);
    __syncthreads();
    uint places[T::kItems];
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      places[item] = 0;
      if (buckets[item] != SLU_DROPPED) places[item] = atomicAdd(&counters[buckets[item]], 1u);
    }
    __syncthreads();
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
      const uint count = counters[bucket];
      if (count != 0) counters[bucket] = atomicAdd(at<uint>(frame.demanded, view * frame.bucketCount + bucket), count);
    }
    __syncthreads();
    u64 before = 0;
    if (threadIdx.x == 0) {
      __threadfence();  // the block's additions come before its arrival
      before = reserve(frame, view, 0);
    }
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      const uint first = buckets[item] != SLU_DROPPED ? static_cast<uint>(counters[buckets[item]]) : 0;
      places[item] = slotInBucket(frame, buckets[item], first + places[item]);
    }
    if (threadIdx.x == 0) slots[0] = finishReserve(frame, view, before, 0, tileCount).isLast ? 1 : 0;
    emitSlots<T>(arguments, view, tileBase, buckets, places, counts, list, sharedSlots);
    __syncthreads();
    if (slots[0] != 0) publishView<T>(arguments, view, counts, slots);
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
  return at<uint>(frame.chunks, segment * frame.chunkCount + chunk);
}

// x: chunk, y: view.
template <typename Live>
__global__ void __launch_bounds__(kThreads) countBuckets(const __grid_constant__ Arguments arguments) {
  using T = BucketedTile;
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) counters[bucket] = 0;
  __syncthreads();
  uint rejects[SLU_REJECTS_COUNT] = {};
  const ChunkTiles tiles = tilesOfChunk(frame, blockIdx.x, inputs, T::kRecords);
  for (uint tile = tiles.first; tile < tiles.end; ++tile) {
    uint buckets[T::kItems];
    evaluateTile<T, Live>(arguments, view, tile * T::kRecords, inputs, buckets, rejects);
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
template <typename Live>
__global__ void __launch_bounds__(kThreads) scatterBuckets(const __grid_constant__ Arguments arguments) {
  using T = BucketedTile;
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
  uint rejects[SLU_REJECTS_COUNT] = {};  // counted already
  const ChunkTiles tiles = tilesOfChunk(frame, blockIdx.x, inputs, T::kRecords);
  for (uint tile = tiles.first; tile < tiles.end; ++tile) {
    const uint tileBase = tile * T::kRecords;
    uint buckets[T::kItems];
    evaluateTile<T, Live>(arguments, view, tileBase, inputs, buckets, rejects);
    uint slots[T::kItems];
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      for (uint turn = 0; turn < T::kWarps; ++turn) {
        __syncthreads();
        if (turn == warpOfBlock()) slots[item] = countInBucket(buckets[item], counters);
      }
      slots[item] = slotInBucket(frame, buckets[item], slots[item]);
    }
    emitSlots<T>(arguments, view, tileBase, buckets, slots, counts, list, sharedSlots);
    __syncthreads();
  }
  if (blockIdx.x == 0) publishView<T>(arguments, view, counts, totals);
}

}  // namespace slu::cuda
