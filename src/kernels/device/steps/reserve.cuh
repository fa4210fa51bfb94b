// Step 3, reserve, unordered: one atomic per tile hands out its range of the output, and tells the last tile that it is
// the last, with the total: so it can publish. With one bucket no block waits or reads anything back.
#pragma once

#include "../steps/publish.cuh"

namespace slu::cuda {

// Tiles of `records` records each; at least one, so that somebody publishes.
__device__ __forceinline__ uint tileCountOf(uint inputs, uint records) {
  return max((inputs + records - 1) / records, 1u);
}

__device__ __forceinline__ u64* progressOf(const FrameBlock& frame, uint view) {
  return &at<ViewProgress>(frame.progress, view)->word;
}

// Of a plan with one bucket: how many of the records from the first on fit.
__device__ __forceinline__ uint fittingOf(const Arguments& arguments, uint first, uint kept) {
  const uint capacity = arguments.plan.single.capacity;
  return first < capacity ? min(kept, capacity - first) : 0;
}

// What a tile's reservation returned: the tiles before it, and what they kept.
struct Reservation {
  u64 before;

  __device__ __forceinline__ uint first() const { return static_cast<uint>(before); }
  __device__ __forceinline__ bool isLast(uint tileCount) const {
    return static_cast<uint>(before >> kKeptBits) + 1 == tileCount;
  }
};

// By lane 0 of a warp, for the block's tile of so many; behind a barrier. A frame of one tile needs no atomic.
__device__ __forceinline__ u64 reserve(const Arguments& arguments, uint view, uint kept, uint tileCount) {
  if (tileCount == 1) return 0;
  makeVisible(arguments);
  return atomicAdd(byFirstLane(progressOf(arguments.frame, view)), (1ull << kKeptBits) + kept);
}

// By one thread, after the last tile.
__device__ __forceinline__ void resetProgress(const FrameBlock& frame, uint view) { *progressOf(frame, view) = 0; }

// Runs the block's tiles of its view, which the first `blocks` blocks share. The steps, each called by all threads:
//   fetch(tile)                 begins its loads
//   rank(tile, buffer) -> kept  evaluates and ranks; holds a barrier, which also keeps one tile's steps apart from the
//                               next's; what it writes to shared memory before that, it keeps apart itself
//   stage(buffer)               puts the survivors, or their list, into shared memory
//   emit(buffer, tile, kept, first)
// slot: a word of shared memory.
template <uint kBlockThreads, typename Slot, typename Fetch, typename Rank, typename Stage, typename Emit>
__device__ __forceinline__ void compactUnordered(const Arguments& arguments, uint tileCount, uint blocks, Slot& slot,
                                                 const Fetch& fetch, const Rank& rank, const Stage& stage,
                                                 const Emit& emit) {
  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  for (uint tile = blockIdx.x; tile < tileCount; tile += blocks) {
    fetch(tile);
    const uint kept = rank(tile, 0);
    u64 before = 0;
    if (threadIdx.x == 0) before = reserve(arguments, view, kept, tileCount);
    stage(0);
    if (threadIdx.x == 0) slot[0] = before;
    __syncthreads();
    const Reservation reserved{slot[0]};
    if (reserved.isLast(tileCount)) {
      if (threadIdx.x == 0) resetProgress(frame, view);
      publishSingle<kBlockThreads>(arguments, view, reserved.first() + kept);
    }
    emit(0, tile, kept, reserved.first());
  }
}

}  // namespace slu::cuda
