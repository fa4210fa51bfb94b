// A part of step 5: draw commands in the order of their groups (SluGroups).
#pragma once

#include "../steps/publish.cuh"

namespace slu::cuda {

// Returns the group of a bucket's draw, or SLU_DROPPED.
__device__ __forceinline__ uint groupOf(const FrameBlock& frame, uint bucket, const BucketBlock& block) {
  const GroupBlock& groups = frame.groups;
  if (groups.meshOffset == SLU_DROPPED) return block.group;
  const uint unmirrored = sluUnmirrored(bucket, frame.mirroredFirst);
  const uint mesh = unmirrored / frame.meshLayout.lodCount;
  const uint ofMesh = mesh < meshCountOf(frame) ? __ldcg(meshAt(frame, mesh) + groups.meshOffset) : 0;
  return sluGroup(ofMesh, bucket != unmirrored ? groups.mirroredOffset : 0, groups.count);
}

__device__ __forceinline__ uint* bucketGroupAt(const FrameBlock& frame, uint view, uint bucket) {
  return at<uint>(frame.bucketGroups, static_cast<u64>(view) * frame.bucketCount + bucket);
}

// The draws of a view, of which the block's thread g has group g. next, ofThreads: a word of shared memory per thread.
// sums: one per warp.
template <typename T, typename Words, typename Sums>
class GroupedDraws {
 public:
  static constexpr bool kArePlain = false;

  __device__ GroupedDraws(Words& next, Words& ofThreads, Sums& sums)
      : next_(next), ofThreads_(ofThreads), sums_(sums) {}

  // Counts the draws of each group, and places the groups. Groups are loaded once, and remembered, since the host may
  // change its mesh table meanwhile. The whole block calls this, and the other functions.
  template <typename DemandedOf, typename Totals>
  __device__ void begin(const FrameBlock& frame, uint view, const DemandedOf& demandedOf, Totals& totals) {
    next_[threadIdx.x] = 0;
    __syncthreads();
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += T::kThreads) {
      const BucketBlock block = loadPlaced(frame, view, bucket);
      uint group = SLU_DROPPED;
      if (SLU_HAS_DRAW(min(demandedOf(bucket), block.capacity), frame.draw.skipEmpty)) {
        group = groupOf(frame, bucket, block);
        if (group != SLU_DROPPED) {
          atomicAdd(&next_[group], 1u);
        } else {
          atomicOr(&totals[2], SLU_OVERFLOW_DRAWS_BIT);
        }
      }
      *bucketGroupAt(frame, view, bucket) = group;
    }
    __syncthreads();
    draws_ = next_[threadIdx.x];
    uint carried = 0;
    uint first = exclusiveSumOfBlock<T::kWarps>(draws_, &sums_[0], carried);
    const uint capacity = frame.groups.capacity;
    if (capacity != 0) {
      first = threadIdx.x * capacity;
      if (draws_ > capacity) atomicOr(&totals[2], SLU_OVERFLOW_DRAWS_BIT);
      draws_ = min(draws_, capacity);
    }
    __syncthreads();
    next_[threadIdx.x] = first;
  }

  // Returns the place of the draw of the thread's bucket, or SLU_DROPPED. Threads have buckets in order.
  __device__ uint place(const FrameBlock& frame, uint view, uint bucket) {
    const uint group = bucket < frame.bucketCount ? *bucketGroupAt(frame, view, bucket) : SLU_DROPPED;
    ofThreads_[threadIdx.x] = group;
    __syncthreads();
    uint place = SLU_DROPPED;
    if (group != SLU_DROPPED) {
      place = next_[group];
      for (uint thread = 0; thread < threadIdx.x; ++thread) place += ofThreads_[thread] == group ? 1 : 0;
      const uint capacity = frame.groups.capacity;
      if (capacity != 0 && place >= (group + 1) * capacity) place = SLU_DROPPED;
    }
    __syncthreads();
    if (group != SLU_DROPPED) atomicAdd(&next_[group], 1u);
    return place;
  }

  // Writes the draw count of each group. If groups have fixed places, clears the rest of their commands. Returns how
  // many draws the view has.
  __device__ uint end(const Arguments& arguments, uint view) {
    const FrameBlock& frame = arguments.frame;
    const uint outputs = arguments.plan.outputs;
    uint drawn = 0;
    exclusiveSumOfBlock<T::kWarps>(draws_, &sums_[0], drawn);
    if ((outputs & SLU_OUTPUT_DRAW_COUNTS_BIT) != 0 && threadIdx.x < frame.groups.count) {
      at<uint>(frame.drawCounts)[view * frame.groups.count + threadIdx.x] = draws_;
    }
    const uint capacity = frame.groups.capacity;
    if ((outputs & SLU_OUTPUT_DRAWS_BIT) == 0 || capacity == 0) return drawn;
    ofThreads_[threadIdx.x] = draws_;
    __syncthreads();
    for (uint place = threadIdx.x; place < frame.groups.count * capacity; place += T::kThreads) {
      if (place % capacity >= ofThreads_[place / capacity]) clearCommand(frame, view, place);
    }
    return drawn;
  }

 private:
  Words& next_;       // where the next command of a group goes
  Words& ofThreads_;  // the groups of the draws that the threads have, or SLU_DROPPED
  Sums& sums_;
  uint draws_ = 0;  // of the thread's group
};

}  // namespace slu::cuda
