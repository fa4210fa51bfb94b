// Several buckets. A tile counts its kept records per bucket in shared memory, aggregated over the lanes of a warp that
// agree (match), and reserves once per tile and bucket.
//
// Stable order needs the counts of all earlier tiles per bucket, too many words to look back over: three launches
// (count, scan, scatter) over a fixed number of chunks of tiles, none of which waits for another.
#pragma once

#include "compact.cuh"

namespace slu::cuda {

constexpr uint kMaxBuckets = 4096;

using BucketedTile = Tile<256, 4, 1>;

// The item's rank among the warp's items of its bucket, after those that `counters` has; adds them to it.
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
  emitTile<T::kThreads>(
      arguments, view, tileBase, kept, [&](uint k) { return static_cast<uint>(list[k]); },
      [&](uint k) { return static_cast<uint>(sharedSlots[k]); });
}

__global__ void __launch_bounds__(256) compactBuckets(const __grid_constant__ Arguments arguments) {
  using T = BucketedTile;
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(unsigned short, list, T::kRecords);
  SLU_SHARED_ARRAY(uint, sharedSlots, T::kRecords);
  SLU_SHARED_ARRAY(uint, slot, 3);
  SLU_SHARED_ARRAY(uint, sharedRejects, SLU_REJECTS_COUNT);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  if (threadIdx.x < SLU_REJECTS_COUNT) sharedRejects[threadIdx.x] = 0;
  uint rejects[SLU_REJECTS_COUNT] = {};
  TileQueue<false> queue(frame, T::kRecords);
  for (uint tile = queue.take(frame, slot); tile < queue.tileCount; tile = queue.take(frame, slot)) {
    const uint tileBase = tile * T::kRecords;
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) counters[bucket] = 0;
    uint buckets[T::kItems];
    evaluateTile<T>(arguments, view, tileBase, inputs, buckets, rejects);
    __syncthreads();
    uint slots[T::kItems];
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) slots[item] = countInBucket(buckets[item], counters);
    __syncthreads();
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
      const uint count = counters[bucket];
      if (count != 0) counters[bucket] = atomicAdd(at<uint>(frame.demanded, view * frame.bucketCount + bucket), count);
    }
    __syncthreads();
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      const uint first = buckets[item] != SLU_DROPPED ? static_cast<uint>(counters[buckets[item]]) : 0;
      slots[item] = slotInBucket(frame, buckets[item], first + slots[item]);
    }
    emitSlots<T>(arguments, view, tileBase, buckets, slots, counts, list, sharedSlots);
    __syncthreads();
  }
  addRejects<T>(arguments, rejects, sharedRejects);
  publishLast<T>(arguments, counts, slot);
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
__global__ void __launch_bounds__(256) countBuckets(const __grid_constant__ Arguments arguments) {
  using T = BucketedTile;
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(uint, sharedRejects, SLU_REJECTS_COUNT);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  if (threadIdx.x < SLU_REJECTS_COUNT) sharedRejects[threadIdx.x] = 0;
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) counters[bucket] = 0;
  __syncthreads();
  uint rejects[SLU_REJECTS_COUNT] = {};
  const ChunkTiles tiles = tilesOfChunk(frame, blockIdx.x, inputs, T::kRecords);
  for (uint tile = tiles.first; tile < tiles.end; ++tile) {
    uint buckets[T::kItems];
    evaluateTile<T>(arguments, view, tile * T::kRecords, inputs, buckets, rejects);
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) countInBucket(buckets[item], counters);
  }
  __syncthreads();
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
    *chunkCounter(frame, view, bucket, blockIdx.x) = counters[bucket];
  }
  addRejects<T>(arguments, rejects, sharedRejects);
}

// Turns a bucket's counts into the records kept before each chunk. x: bucket, y: view.
__global__ void __launch_bounds__(256) scanBuckets(const __grid_constant__ Arguments arguments) {
  constexpr uint kThreads = 256;
  SLU_SHARED_ARRAY(uint, warpSums, kThreads / kWarp);

  const FrameBlock& frame = arguments.frame;
  uint* row = chunkCounter(frame, blockIdx.y, blockIdx.x, 0);
  uint carried = 0;
  for (uint firstChunk = 0; firstChunk < frame.chunkCount; firstChunk += kThreads) {
    const uint chunk = firstChunk + threadIdx.x;
    const uint count = chunk < frame.chunkCount ? row[chunk] : 0;
    const uint below = exclusiveSumOfWarp(count);
    if (laneOfWarp() == kWarp - 1) warpSums[warpOfBlock()] = below + count;
    __syncthreads();
    uint before = carried;
    for (uint warp = 0; warp < kThreads / kWarp; ++warp) {
      if (warp < warpOfBlock()) before += warpSums[warp];
      carried += warpSums[warp];
    }
    if (chunk < frame.chunkCount) row[chunk] = before + below;
    __syncthreads();
  }
  if (threadIdx.x == 0) *at<uint>(frame.demanded, blockIdx.y * frame.bucketCount + blockIdx.x) = carried;
}

// x: chunk, y: view. Warps take turns in record order, so that ranks within a bucket follow it.
__global__ void __launch_bounds__(256) scatterBuckets(const __grid_constant__ Arguments arguments) {
  using T = BucketedTile;
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);
  SLU_SHARED_ARRAY(unsigned short, list, T::kRecords);
  SLU_SHARED_ARRAY(uint, sharedSlots, T::kRecords);
  SLU_SHARED_ARRAY(uint, slot, 3);

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
    evaluateTile<T>(arguments, view, tileBase, inputs, buckets, rejects);
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
  publishLast<T>(arguments, counts, slot);
}

}  // namespace slu::cuda
