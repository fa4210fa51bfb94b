// Step 3, reserve, in any order: one atomic per tile returns the tile's range of the output. It also counts the tiles,
// so that the last one knows that it is the last, and how many records all tiles keep: it can publish. With one bucket
// no block waits for another, or reads a counter back.
#pragma once

#include "../steps/publish.cuh"

namespace slu::cuda {

// Returns the number of tiles of `records` records each. It is at least one, so that a frame without records is
// published, too.
__device__ __forceinline__ uint tileCountOf(uint inputs, uint records) {
  return max((inputs + records - 1) / records, 1u);
}

__device__ __forceinline__ u64* progressOf(const FrameBlock& frame, uint view) {
  return &at<ViewProgress>(frame.progress, view)->word;
}

// With one bucket: returns how many of a tile's `kept` records fit, from place `first` on.
__device__ __forceinline__ uint fittingOf(const Arguments& arguments, uint first, uint kept) {
  const uint capacity = arguments.plan.single.capacity;
  return first < capacity ? min(kept, capacity - first) : 0;
}

// The result of a tile's reservation. `before` counts the tiles that have reserved earlier, and the records that they
// keep.
struct Reservation {
  u64 before;

  __device__ __forceinline__ uint first() const { return static_cast<uint>(before); }
  __device__ __forceinline__ bool isLast(uint tileCount) const {
    return static_cast<uint>(before >> kKeptBits) + 1 == tileCount;
  }
};

// Reserves for a tile that keeps `kept` records. Lane 0 of a warp calls this after a barrier. A frame of one tile needs
// no atomic.
__device__ __forceinline__ u64 reserve(const Arguments& arguments, uint view, uint kept, uint tileCount) {
  if (tileCount == 1) return 0;
  makeVisible(arguments);
  return atomicAdd(byFirstLane(progressOf(arguments.frame, view)), (1ull << kKeptBits) + kept);
}

// One thread calls this after the last tile.
__device__ __forceinline__ void resetProgress(const FrameBlock& frame, uint view) { *progressOf(frame, view) = 0; }

// Runs the block's tiles of its view. The first `blocks` blocks share the tiles. All threads call each of the steps:
//   fetch(tile)                      starts the loads of the tile
//   rank(tile, buffer) -> kept       tests and ranks the records; see below
//   stage(buffer)                    writes the survivors, or their list, to shared memory
//   emit(buffer, tile, kept, first)  stores the survivors from place `first` on
// rank contains a barrier, which also separates the steps of one tile from those of the next. If rank writes to shared
// memory before that barrier, it must itself wait for the steps of the previous tile. slot: a word of shared memory.
template <uint kBlockThreads, bool kIsScene = false, bool kIsMerged = false, typename Slot, typename Fetch,
          typename Rank, typename Stage, typename Emit>
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
      publishSingle<kBlockThreads, kIsScene, kIsMerged>(arguments, view, reserved.first() + kept);
    }
    emit(0, tile, kept, reserved.first());
  }
}

}  // namespace slu::cuda
