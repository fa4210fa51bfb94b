// Copies, to show what loops and wide loads gain: "Crazy on CUDA: Parallel Stream Compaction", part 3, The Byte
// Kitchen, 2018. A thread copies one chunk at a time, of 1, 2 or 4 words.
#pragma once

#include "source.cuh"

namespace bench::literature {

constexpr uint32_t kCopyThreads = 256;

__device__ inline uint64_t wideThreadOfGrid() { return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }

// A thread per chunk.
template <uint32_t width>
__global__ void __launch_bounds__(kCopyThreads)
    copyWithoutLoop(const Chunk<width>* from, Chunk<width>* to, uint64_t chunkCount) {
  const uint64_t i = wideThreadOfGrid();
  if (i < chunkCount) to[i] = from[i];
}

// Neighbouring threads take neighbouring chunks; then the grid moves on by its own size.
template <uint32_t width>
__global__ void __launch_bounds__(kCopyThreads)
    copyByGridStride(const Chunk<width>* from, Chunk<width>* to, uint64_t chunkCount) {
  const uint64_t threadCount = uint64_t{gridDim.x} * blockDim.x;
  for (uint64_t i = wideThreadOfGrid(); i < chunkCount; i += threadCount) to[i] = from[i];
}

// Each warp takes a sequence of its own, as Billeter's warps do.
template <uint32_t width>
__global__ void __launch_bounds__(kCopyThreads)
    copyByWarpStride(const Chunk<width>* from, Chunk<width>* to, uint64_t chunkCount) {
  const uint64_t warpCount = uint64_t{gridDim.x} * (blockDim.x / kWarpLanes);
  const uint64_t steps = (chunkCount + warpCount * kWarpLanes - 1) / (warpCount * kWarpLanes);
  const uint64_t begin = warpOfGrid() * steps * kWarpLanes;
  const uint64_t end = begin + steps * kWarpLanes < chunkCount ? begin + steps * kWarpLanes : chunkCount;
  for (uint64_t i = begin + laneOfWarp(); i < end; i += kWarpLanes) to[i] = from[i];
}

}  // namespace bench::literature
