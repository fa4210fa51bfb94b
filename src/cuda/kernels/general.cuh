// Any predicate, one bucket: survivors are listed in shared memory and their payload copied by the whole block.
#pragma once

#include "compact.cuh"

namespace slu::cuda {

template <bool kStable>
__global__ void __launch_bounds__(256, 4) compactGeneral(const __grid_constant__ Arguments arguments) {
  using T = Tile<256, 4, 1>;
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(unsigned short, list, T::kRecords);
  SLU_SHARED_ARRAY(uint, slot, 3);
  SLU_SHARED_ARRAY(uint, sharedRejects, SLU_REJECTS_COUNT);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const uint capacity = loadBucket(frame, 0).capacity;
  if (threadIdx.x < SLU_REJECTS_COUNT) sharedRejects[threadIdx.x] = 0;
  uint rejects[SLU_REJECTS_COUNT] = {};

  TileQueue<kStable> queue(frame, T::kRecords);
  for (uint tile = queue.take(frame, slot); tile < queue.tileCount; tile = queue.take(frame, slot)) {
    const uint tileBase = tile * T::kRecords;
    uint buckets[T::kItems];
    evaluateTile<T>(arguments, view, tileBase, inputs, buckets, rejects);
    const uint flags = keptFlags(buckets);
    uint rowRanks[T::kRows];
    const uint kept = rankTile<T>(flags, rowRanks, counts);
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if ((flags >> item & 1) != 0)
        list[itemRank<T>(flags, rowRanks, item)] = static_cast<unsigned short>(T::localOf(item));
    }
    const uint first = reserveTile<kStable>(frame, tile, queue.tileCount, kept, slot);
    emitTile<T::kThreads>(
        arguments, view, tileBase, kept, [&](uint k) { return static_cast<uint>(list[k]); },
        [&](uint k) { return first + k < capacity ? first + k : SLU_DROPPED; });
    __syncthreads();
  }
  addRejects<T>(arguments, rejects, sharedRejects);
  publishLast<T>(arguments, counts, slot);
}

}  // namespace slu::cuda
