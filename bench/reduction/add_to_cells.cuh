// Reduction by key: adds the value of each particle to that of its cell. What voting and shuffling buy over an atomic
// per particle, after E. Westphal, "Voting and Shuffling to Optimize Atomic Operations", NVIDIA blog, 2015.
//
// Every kernel: a particle per thread and round, blocks of kAddThreads; a block takes kAddRounds * kAddThreads
// neighbors.
#pragma once

#include <cstdint>
#include <sluice/device.cuh>

#ifdef __CUDACC__
#define SLU_SHARED_ARRAY(Type, name, count) __shared__ Type name[count]
#endif

namespace bench {

constexpr uint32_t kAddThreads = 256;
constexpr uint32_t kAddRounds = 8;
constexpr uint32_t kAddTile = kAddThreads * kAddRounds;

// Calls visit(particle) for those of the thread.
template <typename Visit>
__device__ __forceinline__ void forEachParticle(uint32_t count, const Visit& visit) {
  for (uint32_t round = 0; round < kAddRounds; ++round) {
    const uint32_t particle = blockIdx.x * kAddTile + round * kAddThreads + threadIdx.x;
    if (particle < count) visit(particle);
  }
}

// An atomic per particle.
template <typename Value>
__global__ void addPlain(const uint32_t* keys, const Value* values, uint32_t count, Value* cells) {
  forEachParticle(count, [&](uint32_t particle) { atomicAdd(&cells[keys[particle]], values[particle]); });
}

// Cells around that of the block's first particle are added up in shared memory first, which pays where neighbors share
// cells; the others get an atomic per particle.
constexpr uint32_t kWindowCells = 1024;

template <typename Value>
__global__ void addShared(const uint32_t* keys, const Value* values, uint32_t count, uint32_t cellCount, Value* cells) {
  SLU_SHARED_ARRAY(Value, sums, kWindowCells);
  const uint32_t firstKey = keys[blockIdx.x * kAddTile];
  const uint32_t start = firstKey < kWindowCells / 2 ? 0 : firstKey - kWindowCells / 2;
  for (uint32_t i = threadIdx.x; i < kWindowCells; i += kAddThreads) sums[i] = 0;
  __syncthreads();
  forEachParticle(count, [&](uint32_t particle) {
    const uint32_t key = keys[particle];
    if (key - start < kWindowCells) {
      atomicAdd(&sums[key - start], values[particle]);
    } else {
      atomicAdd(&cells[key], values[particle]);
    }
  });
  __syncthreads();
  for (uint32_t i = threadIdx.x; i < kWindowCells; i += kAddThreads) {
    const Value sum = sums[i];
    if (sum != 0 && start + i < cellCount) atomicAdd(&cells[start + i], sum);
  }
}

// Lanes whose particles share a cell find each other by voting, add up by shuffling, and leave one atomic.
template <typename Value>
__global__ void addByVoting(const uint32_t* keys, const Value* values, uint32_t count, Value* cells) {
  forEachParticle(count, [&](uint32_t particle) {
    const uint32_t present = count - (particle - threadIdx.x % 32);  // particles from the warp's first on
    const uint32_t lanes = present >= 32 ? 0xffffffffu : (1u << present) - 1u;
    slu::device::addByKey(cells, keys[particle], values[particle], lanes);
  });
}

}  // namespace bench
