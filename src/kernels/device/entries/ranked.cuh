// Ranks the records of packed buckets in any order, and lists what is kept. A frame evaluates each record once, in three
// launches:
//  1. rankBuckets gives each kept record a rank within its bucket, and lists it with both. A tile reserves once per
//     bucket, and once for its part of the list.
//  2. publishCounted places the buckets, and publishes. In sparse plans two launches do this (sparse.cuh).
//  3. emitRanked (emit_ranked.cuh) goes over the list. A record's place is the first one of its bucket plus its rank.
#pragma once

#include "../entries/bucketed.cuh"

namespace slu::cuda {

// The list of a view. Its parts lie one behind the other, so that warps access whole lines.
struct RankedList {
  uint* records;
  uint* buckets;  // SLU_DROPPED: the record is not kept
  uint* ranks;
};

__device__ __forceinline__ RankedList rankedList(const PlanConstants& plan, uint view) {
  const u64 bytes = u64{sizeof(uint)} * plan.viewRecords;
  const u64 first = static_cast<u64>(plan.ranked) + kRankedWords * view * bytes;
  return {at<uint>(first), at<uint>(first + bytes), at<uint>(first + 2 * bytes)};
}

// Returns whether a tile adds to the counters of buckets record by record. With many buckets, a tile has few records for
// each of them.
__device__ __forceinline__ bool ranksDirectly(const FrameBlock& frame) {
  return frame.sparseBucketCount != 0 || frame.bucketCount > kMostCountedRanks;
}

// Returns where the records of a bucket of a sparse plan are counted. These counters have no gaps.
__device__ __forceinline__ uint* sparseCounter(const FrameBlock& frame, uint view, uint bucket) {
  return at<uint>(frame.demanded, static_cast<u64>(view) * frame.sparseBucketCount + bucket);
}

// The counters of the view's buckets.
struct DemandedCounters {
  const FrameBlock& frame;
  uint view;
  __device__ __forceinline__ uint& operator[](uint bucket) const {
    return frame.sparseBucketCount != 0 ? *sparseCounter(frame, view, bucket) : *demandedCounter(frame, view, bucket);
  }
};

// Replaces the tile's count of each bucket by the rank of its first record there.
template <typename Counters>
__device__ __forceinline__ void reserveRanks(const FrameBlock& frame, uint view, Counters& counters) {
  SLU_NO_UNROLL
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += kThreads) {
    const uint count = counters[bucket];
    if (count != 0) counters[bucket] = atomicAdd(demandedCounter(frame, view, bucket), count);
  }
}

// Finds the ranks of the listed records. Keys that are loaded after culling are loaded here, as by placeItems. list: as
// for placeItems. buckets: of the listed records.
template <typename Test, typename List, typename Buckets, typename Ranks>
__device__ __forceinline__ void rankListed(const Arguments& arguments, uint view, uint tileBase, uint listedCount,
                                           const List& list, Buckets& buckets, Ranks& ranks) {
  constexpr uint kShare = 2;
  const DemandedCounters counters{arguments.frame, view};
  SLU_NO_UNROLL
  for (uint first = 0; first < listedCount; first += kShare * kThreads) {
    uint indices[kShare];
    uint own[kShare];
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint k = first + i * kThreads + threadIdx.x;
      indices[i] = k < listedCount ? tileBase + list(k) : 0;
      own[i] = k < listedCount ? static_cast<uint>(buckets[k]) : SLU_DROPPED;
    }
    if (leavesKeysOut<Test>(arguments)) applyKeys<Test>(arguments, indices, own);
    Peers peers[kShare];
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) peers[i] = countPeers(own[i], counters);
    SLU_UNROLL
    for (uint i = 0; i < kShare; ++i) {
      const uint k = first + i * kThreads + threadIdx.x;
      const uint rank = rankAmong(peers[i]);
      if (k >= listedCount) continue;
      buckets[k] = own[i];
      ranks[k] = rank;
    }
  }
}

// Ranks and lists the kept records of the block's tiles. y: view.
template <uint kBlocks, typename Test>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    rankBuckets(const __grid_constant__ Arguments arguments) {
  using T = typename Test::Tile;
  constexpr uint kListed = Batches<T, Test>::kMostRecords;
  static_assert(kListed <= kMaxBuckets);
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, counters, kMaxBuckets);  // of buckets, or the ranks of listed records
  SLU_SHARED_ARRAY(unsigned short, list, kListed);
  SLU_SHARED_ARRAY(uint, placements, kListed);  // of listed records, or their buckets
  SLU_SHARED_ARRAY(uint, told, Told::kWords);
  SLU_SHARED_ARRAY(uint, ofTile, 1);  // the tile's first entry of the view's list

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const Batches<T, Test> batches(arguments, inputs);
  const bool isDirect = ranksDirectly(frame);
  const bool lists = arguments.plan.ranked != 0;
  const RankedList listed = rankedList(arguments.plan, view);
  for (uint tile = blockIdx.x; tile < batches.count(); tile += gridDim.x) {
    const uint tileBase = batches.begin(tile);
    const auto offsets = [&](uint k) { return batches.offsetOf(list[k]); };
    SLU_NO_UNROLL
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount && !isDirect; bucket += kThreads) counters[bucket] = 0;
    if (threadIdx.x < Told::kWords) told[threadIdx.x] = 0;
    listTile<T, Test>(arguments, view, inputs, batches, tile, list, placements, told);
    const uint listedCount = told[Told::kListed];
    u64 before = 0;
    const bool reserves = lists && threadIdx.x == 0;
    if (reserves) before = atomicAdd(byFirstLane(progressOf(frame, view)), u64{listedCount});
    if (isDirect) {
      rankListed<Test>(arguments, view, tileBase, listedCount, offsets, placements, counters);
    } else {
      placeItems<Test>(arguments, tileBase, listedCount, offsets, placements, counters, told);
      __syncthreads();
      reserveRanks(frame, view, counters);
    }
    if (reserves) ofTile[0] = static_cast<uint>(before);
    __syncthreads();
    for (uint k = threadIdx.x; k < listedCount && lists; k += kThreads) {
      const Placement placement{static_cast<uint>(placements[k])};
      const u64 entry = u64{ofTile[0]} + k;
      listed.records[entry] = tileBase + offsets(k);
      if (isDirect) {
        listed.buckets[entry] = placement.word;
        listed.ranks[entry] = counters[k];
      } else {
        listed.buckets[entry] = placement.exists() ? placement.bucket() : SLU_DROPPED;
        if (placement.exists()) listed.ranks[entry] = counters[placement.bucket()] + placement.place();
      }
    }
    __syncthreads();
  }
}

}  // namespace slu::cuda
