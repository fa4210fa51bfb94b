// Defines the inputs of the literature's kernels, and the parts of CUDA that they share. Blocks and grids have one
// dimension.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define SLU_SHARED_ARRAY(Type, name, count) __shared__ Type name[count]
#define SLU_SHARED(Type, name) __shared__ Type name
#else
#include "simt/cuda_on_cpu.h"  // the tests compile the kernels for the CPU
#endif

#include "workload/frame.h"
#include "workload/live_test.h"

namespace bench::literature {

// Words that move together, as aligned as a load may be.
template <uint32_t wordCount>
struct alignas(wordCount % 4 == 0   ? 16
               : wordCount % 2 == 0 ? 8
                                    : 4) Chunk {
  uint32_t words[wordCount];
};

// Sources: `key` is a record's first word, which is 0 when the record is dead; `element` is what is written of a live
// one.

// Records of 4 bytes, which are their keys.
struct Words {
  using Element = uint32_t;
  const uint32_t* input;
  uint32_t count;

  __device__ uint32_t key(uint32_t i) const { return input[i]; }
  __device__ uint32_t element(uint32_t, uint32_t key) const { return key; }
};

// Wider records; the rest of a dead one is not read.
template <uint32_t wordCount>
struct Records {
  using Element = Chunk<wordCount>;
  const Element* input;
  uint32_t count;

  __device__ uint32_t key(uint32_t i) const { return input[i].words[0]; }
  __device__ Element element(uint32_t i, uint32_t) const { return input[i]; }
};

// Indices of records of any width.
struct Indices {
  using Element = uint32_t;
  const uint32_t* input;
  uint32_t count;
  uint32_t recordWords;

  __device__ uint32_t key(uint32_t i) const { return input[uint64_t{i} * recordWords]; }
  __device__ uint32_t element(uint32_t i, uint32_t) const { return i; }
};

// Indices of spheres that touch a frustum. A live one's key is 1.
struct VisibleIndices {
  using Element = uint32_t;
  SphereTest test;
  uint32_t count;

  __device__ uint32_t key(uint32_t i) const { return test(i) ? 1 : 0; }
  __device__ uint32_t element(uint32_t i, uint32_t) const { return i; }
};

// Records with such spheres beside them.
template <uint32_t wordCount>
struct VisibleRecords {
  using Element = Chunk<wordCount>;
  const Element* input;
  SphereTest test;
  uint32_t count;

  __device__ uint32_t key(uint32_t i) const { return test(i) ? 1 : 0; }
  __device__ Element element(uint32_t i, uint32_t) const { return input[i]; }
};

// With several buckets, survivors of bucket b go to the elements from b * capacity on.
struct Buckets {
  const uint32_t* records;  // the second word of each names its bucket
  uint32_t recordWords;
  uint32_t count;
  uint32_t capacity;               // that no bucket exceeds, so that none is clamped
  uint32_t groupCount = 0;         // of draws; 0 without
  uint32_t perGroup = 0;           // buckets of a group, whose draws follow one another
  uint32_t* drawCounts = nullptr;  // of groups

  __device__ uint32_t of(uint32_t i) const { return records[uint64_t{i} * recordWords + 1]; }
};

constexpr uint32_t kWarpLanes = 32;
constexpr uint32_t kAllLanes = 0xffffffffu;

__device__ inline uint32_t laneOfWarp() { return threadIdx.x % kWarpLanes; }
__device__ inline uint32_t warpOfBlock() { return threadIdx.x / kWarpLanes; }
__device__ inline uint32_t warpOfGrid() { return blockIdx.x * (blockDim.x / kWarpLanes) + warpOfBlock(); }
__device__ inline uint32_t threadOfGrid() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline uint32_t countLanes(uint32_t lanes) { return static_cast<uint32_t>(__popc(lanes)); }
__device__ inline uint32_t countLower(uint32_t lanes) { return countLanes(lanes & ((1u << laneOfWarp()) - 1)); }
__device__ inline int lowestLane(uint32_t lanes) { return __ffs(static_cast<int>(lanes)) - 1; }

// The sum over the warp, for every lane.
__device__ inline uint32_t sumOfWarp(uint32_t value) {
  for (int distance = kWarpLanes / 2; distance > 0; distance /= 2) value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

// The sum over the lane and those below it.
__device__ inline uint32_t inclusiveSumOfWarp(uint32_t value) {
  for (uint32_t distance = 1; distance < kWarpLanes; distance *= 2) {
    const uint32_t lower = __shfl_up_sync(kAllLanes, value, distance);
    if (laneOfWarp() >= distance) value += lower;
  }
  return value;
}

inline uint32_t ceilDivide(uint64_t dividend, uint64_t divisor) {
  return static_cast<uint32_t>((dividend + divisor - 1) / divisor);
}

}  // namespace bench::literature
