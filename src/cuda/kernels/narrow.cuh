// Records of 4 bytes that decide for themselves, written as records. Unordered, the next tile is on its way into shared
// memory while this one is ranked, reserved and stored, which keeps enough bytes in flight through the wait for the
// reservation. A stable block takes no tile ahead, since others would wait for its count; its tiles are larger instead.
#pragma once

#include "compact.cuh"

namespace slu::cuda {

template <bool kStable>
using NarrowTile = Tile<kStable ? 512 : 256, 4, 4>;

// Begins to bring a tile into shared memory; a tile beyond the last brings nothing.
template <typename T, typename Buffer>
__device__ __forceinline__ void fetchTile(const FrameBlock& frame, uint tile, uint inputs, Buffer& buffer) {
  const u64 tileBase = static_cast<u64>(tile) * T::kRecords;
  if (tileBase + T::kRecords <= inputs && frame.wideLive != 0) {
    const uint4* from = at<const uint4>(frame.records, tileBase / 4);
    SLU_UNROLL
    for (uint row = 0; row < T::kRows; ++row) copyAsync(&buffer[T::firstOf(row)], from + T::firstOf(row) / 4);
  } else if (tileBase < inputs) {
    const uint* from = at<const uint>(frame.records, tileBase);
    for (uint local = threadIdx.x; local < T::kRecords; local += T::kThreads) {
      buffer[local] = local < inputs - tileBase ? __ldcs(from + local) : 0;  // 0 is not live
    }
  }
  commitAsync();
}

template <bool kStable>
__global__ void __launch_bounds__(kStable ? 512 : 256, kStable ? 3 : 4)
    compactNarrow(const __grid_constant__ Arguments arguments) {
  using T = NarrowTile<kStable>;
  constexpr bool kFetchesAhead = !kStable;
  SLU_SHARED_ARRAY(uint, counts, T::kCounts);
  SLU_SHARED_ARRAY(uint, buffers, (kFetchesAhead ? 2 : 1) * T::kRecords);
  SLU_SHARED_ARRAY(uint, slot, 3);

  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const uint inputs = inputCount(frame);
  const uint capacity = loadBucket(frame, 0).capacity;
  uint rejected = 0;
  uint* output = at<uint>(frame.keptRecords, static_cast<u64>(view) * frame.outputsPerView);

  TileQueue<kStable> queue(frame, T::kRecords);
  uint tile = queue.take(frame, slot);
  auto buffer = &buffers[0];
  auto nextBuffer = &buffers[kFetchesAhead ? T::kRecords : 0];
  if (kFetchesAhead) fetchTile<T>(frame, tile, inputs, buffer);
  while (tile < queue.tileCount) {
    uint nextTile = 0;
    if (kFetchesAhead) {
      nextTile = queue.take(frame, slot);
      fetchTile<T>(frame, nextTile, inputs, nextBuffer);
      waitAsync<1>();
    } else {
      fetchTile<T>(frame, tile, inputs, buffer);
      waitAsync<0>();
    }
    __syncthreads();

    uint words[T::kItems];
    uint flags = 0;
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      words[item] = buffer[T::localOf(item)];
      if (wordIsLive(arguments.plan.liveTest, words[item])) flags |= 1u << item;
    }
    uint rowRanks[T::kRows];
    const uint kept = rankTile<T>(flags, rowRanks, counts);  // its barrier follows the last read of the buffer
    SLU_UNROLL
    for (uint item = 0; item < T::kItems; ++item) {
      if ((flags >> item & 1) != 0) buffer[itemRank<T>(flags, rowRanks, item)] = words[item];
    }
    rejected += min(inputs - tile * T::kRecords, T::kRecords) - kept;

    const uint first = reserveTile<kStable>(frame, tile, queue.tileCount, kept, slot);
    const uint fitting = first < capacity ? min(kept, capacity - first) : 0;
    for (uint k = threadIdx.x; k < fitting; k += T::kThreads) __stcs(output + first + k, static_cast<uint>(buffer[k]));
    __syncthreads();
    tile = kFetchesAhead ? nextTile : queue.take(frame, slot);
    const auto freed = buffer;
    buffer = nextBuffer;
    nextBuffer = freed;
  }
  if (threadIdx.x == 0 && (arguments.plan.outputs & SLU_WRITES_STATISTICS) != 0) {
    atomicAdd(at<uint>(frame.rejected, view * SLU_REJECTS_COUNT + SLU_REJECTS_NOT_LIVE), rejected);
  }
  publishLast<T>(arguments, counts, slot);
}

}  // namespace slu::cuda
