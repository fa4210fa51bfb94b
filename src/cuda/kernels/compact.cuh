// The compaction kernels: one launch a frame. Blocks stride over the tiles (unordered) or take them by ticket (stable);
// y: view.
#pragma once

#include "emit.cuh"
#include "evaluate.cuh"
#include "lookback.cuh"
#include "publish.cuh"

namespace slu::cuda {

// Hands out the tiles of a view to the blocks.
template <bool kStable>
struct TileQueue {
  uint tileCount;
  uint next;  // unordered: the block's next tile

  __device__ TileQueue(const FrameBlock& frame, uint tileRecords)
      : tileCount((inputCount(frame) + tileRecords - 1) / tileRecords), next(blockIdx.x) {}

  // The block's next tile, or one beyond the last. slot: one word of shared memory.
  template <typename Slot>
  __device__ uint take(const FrameBlock& frame, Slot& slot) {
    if (kStable) {
      __syncthreads();
      if (threadIdx.x == 0) slot[0] = atomicAdd(&at<Progress>(frame.ticket)->tiles[blockIdx.y], 1u);
      __syncthreads();
      return slot[0];
    }
    const uint tile = next;
    next += gridDim.x;
    return tile;
  }
};

// The first of `kept` places in the output of the view's one bucket. slot: one word of shared memory.
template <bool kStable, typename Slot>
__device__ __forceinline__ uint reserveTile(const FrameBlock& frame, uint tile, uint tileCount, uint kept, Slot& slot) {
  const uint view = blockIdx.y;
  if (kStable) {
    if (warpOfBlock() == 0) {
      const uint epoch = at<Progress>(frame.ticket)->epoch;
      u64* status = at<u64>(frame.chunks, static_cast<u64>(view) * frame.chunkCount);
      const uint prefix = lookBack(status, tile, epoch, kept);
      if (laneOfWarp() == 0) {
        slot[0] = prefix;
        if (tile + 1 == tileCount) *at<uint>(frame.demanded, view) = prefix + kept;
      }
    }
  } else if (threadIdx.x == 0) {
    slot[0] = kept == 0 ? 0 : atomicAdd(at<uint>(frame.demanded, view), kept);
  }
  __syncthreads();
  return slot[0];
}

// Counts why records were not kept, in shared memory and then per view.
template <typename T, typename Rejects>
__device__ __forceinline__ void addRejects(const Arguments& arguments, const uint (&rejects)[SLU_REJECTS_COUNT],
                                           Rejects& shared) {
  if ((arguments.plan.outputs & SLU_WRITES_STATISTICS) == 0) return;
  SLU_UNROLL
  for (uint reason = 0; reason < SLU_REJECTS_COUNT; ++reason) {
    const uint sum = sumOfWarp(rejects[reason]);
    if (laneOfWarp() == 0 && sum != 0) atomicAdd(&shared[reason], sum);
  }
  __syncthreads();
  if (threadIdx.x < SLU_REJECTS_COUNT && shared[threadIdx.x] != 0) {
    atomicAdd(at<uint>(arguments.frame.rejected, blockIdx.y * SLU_REJECTS_COUNT + threadIdx.x), shared[threadIdx.x]);
  }
}

}  // namespace slu::cuda
