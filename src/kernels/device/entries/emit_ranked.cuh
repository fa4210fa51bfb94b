// The last launch of plans that rank. It evaluates nothing, so only the library compiles it.
#pragma once

#include "../entries/ranked.cuh"

namespace slu::cuda {

// Returns where the first output of a bucket of a sparse plan is written.
__device__ __forceinline__ uint* sparseFirst(const Arguments& arguments, uint view, uint bucket) {
  return at<uint>(arguments.plan.sparseFirsts, static_cast<u64>(view) * arguments.frame.sparseBucketCount + bucket);
}

// Returns the place of a record in the view, or SLU_DROPPED.
__device__ __forceinline__ uint rankedSlot(const Arguments& arguments, uint view, uint bucket, uint rank) {
  const FrameBlock& frame = arguments.frame;
  if (frame.sparseBucketCount == 0) return slotInBucket(frame, view, bucket, rank);
  if (bucket == SLU_DROPPED) return SLU_DROPPED;
  const uint slot = *sparseFirst(arguments, view, bucket) + rank;
  return slot < frame.outputsPerView ? slot : SLU_DROPPED;
}

// Emits the records of the view's list, which the blocks share. y: view.
template <uint kBlocks>
__global__ void __launch_bounds__(kThreads, residentBlocks(kBlocks))
    emitRanked(const __grid_constant__ Arguments arguments) {
  constexpr uint kItems = kRankedEntries / kThreads;
  assumeFlatBlock();
  SLU_SHARED_ARRAY(uint, records, kRankedEntries);
  SLU_SHARED_ARRAY(uint, slots, kRankedEntries);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const RankedList list = rankedList(arguments.plan, view);
  const uint listed = at<ViewProgress>(frame.progress, view)->listed;
  for (u64 first = u64{blockIdx.x} * kRankedEntries; first < listed; first += u64{gridDim.x} * kRankedEntries) {
    const uint count = static_cast<uint>(min(u64{listed} - first, u64{kRankedEntries}));
    uint buckets[kItems];
    uint ranks[kItems];
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      const uint k = item * kThreads + threadIdx.x;
      buckets[item] = k < count ? __ldcg(list.buckets + first + k) : SLU_DROPPED;
      ranks[item] = k < count ? __ldcg(list.ranks + first + k) : 0;
      if (k < count) records[k] = __ldcg(list.records + first + k);
    }
    SLU_UNROLL
    for (uint item = 0; item < kItems; ++item) {
      slots[item * kThreads + threadIdx.x] = rankedSlot(arguments, view, buckets[item], ranks[item]);
    }
    __syncthreads();
    emitTile(
        arguments, view, 0, count, [&](uint k) { return static_cast<uint>(records[k]); },
        [&](uint k) { return static_cast<uint>(slots[k]); }, [] {});
    __syncthreads();
  }
}

}  // namespace slu::cuda
