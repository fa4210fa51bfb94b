// Step 3, reserve, unordered: one atomic per tile hands out its range of the output, and tells the last tile that it is
// the last, with the total: so it can publish, and no block waits or reads anything back.
#pragma once

#include "publish.cuh"

namespace slu::cuda {

// Tiles of `records` records each; at least one, so that somebody publishes.
__device__ __forceinline__ uint tileCountOf(uint inputs, uint records) {
  return max((inputs + records - 1) / records, 1u);
}

__device__ __forceinline__ u64* progressOf(const FrameBlock& frame, uint view) {
  return &at<ViewProgress>(frame.ticket, view)->word;
}

// A tile's range, and whether it was the last of the view to reserve.
struct Reservation {
  uint first;
  uint total;  // of the tiles so far
  bool isLast;
};

// By one thread.
__device__ __forceinline__ u64 reserve(const FrameBlock& frame, uint view, uint kept) {
  return atomicAdd(progressOf(frame, view), (1ull << kKeptBits) + kept);
}

// The same thread takes what reserve returned apart, and leaves the word zero after the last tile.
__device__ __forceinline__ Reservation finishReserve(const FrameBlock& frame, uint view, u64 before, uint kept,
                                                     uint tileCount) {
  const uint first = static_cast<uint>(before);
  const bool isLast = static_cast<uint>(before >> kKeptBits) + 1 == tileCount;
  if (isLast) *progressOf(frame, view) = 0;
  return {first, first + kept, isLast};
}

// Runs the block's tiles of its view, which the first `blocks` blocks share. The steps, each called by all threads:
//   fetch(tile)                 begins its loads
//   rank(tile, buffer) -> kept  evaluates and ranks; holds a barrier, which also keeps one tile's steps apart from the
//                               next's; what it writes to shared memory before that, it keeps apart itself
//   stage(buffer)               puts the survivors, or their list, into shared memory
//   emit(buffer, tile, kept, first)
// slots: three words of shared memory. kSparesAtomic: a frame of one tile goes without; this takes registers that wider
// records need.
template <bool kSparesAtomic = false, typename Slots, typename Fetch, typename Rank, typename Stage, typename Emit>
__device__ __forceinline__ void compactUnordered(const Arguments& arguments, uint tileCount, uint blocks, Slots& slots,
                                                 const Fetch& fetch, const Rank& rank, const Stage& stage,
                                                 const Emit& emit) {
  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  for (uint tile = blockIdx.x; tile < tileCount; tile += blocks) {
    fetch(tile);
    const uint kept = rank(tile, 0);
    u64 before = 0;
    if (threadIdx.x == 0 && (!kSparesAtomic || tileCount > 1)) {
      makeVisible(arguments);
      before = reserve(frame, view, kept);
    }
    stage(0);
    if (threadIdx.x == 0) {
      const Reservation range = finishReserve(frame, view, before, kept, tileCount);
      slots[0] = range.first;
      slots[1] = range.total;
      slots[2] = range.isLast ? 1 : 0;
    }
    __syncthreads();
    emit(0, tile, kept, slots[0]);
    if (slots[2] != 0) publishSingle(arguments, view, slots[1]);
  }
}

}  // namespace slu::cuda
