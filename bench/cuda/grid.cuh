// Kernels that stride over any number of items with a grid of fixed size.
#pragma once

#include <cstdint>

namespace bench {

constexpr uint32_t kGridThreads = 256;
constexpr uint32_t kGridBlocks = 2048;  // enough for every GPU, few enough to start quickly

__device__ inline uint64_t gridFirst() { return uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; }
__device__ inline uint64_t gridStep() { return uint64_t{gridDim.x} * blockDim.x; }

}  // namespace bench
