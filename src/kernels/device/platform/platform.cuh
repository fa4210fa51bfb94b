// What the kernels need of the language, so that the same source compiles with nvcc, with NVRTC and, for the tests,
// with a host compiler that stands in for the GPU.
#pragma once

#include <sluice/culling.h>

#include <sluice/device.cuh>

#include "../../../../shaders/shared/rules.h"
#include "../platform/arguments.h"

#ifdef __CUDACC__
#define SLU_SHARED_ARRAY(Type, name, count) __shared__ __align__(16) Type name[count]
// Aligned to lines, of which copies into it need 16 bytes.
#define SLU_SHARED_DYNAMIC(Type, name)                            \
  extern __shared__ __align__(128) unsigned char dynamicShared[]; \
  Type* const name = reinterpret_cast<Type*>(dynamicShared)
#define SLU_SHARED_POINTER(Type) Type*
#define SLU_UNROLL _Pragma("unroll")
#define SLU_UNROLL_BY_4 _Pragma("unroll 4")  // where more at once would take registers that are in use
#define SLU_NO_UNROLL _Pragma("unroll 1")    // the same, and where one round is usual
#else
#define SLU_UNROLL
#define SLU_UNROLL_BY_4
#define SLU_NO_UNROLL
#endif

namespace slu::cuda {

constexpr uint kWarp = 32;
constexpr uint kFullWarp = 0xffffffffu;

// For __launch_bounds__: blocks that a multiprocessor should hold at once. Turing has room for 1,024 threads.
__host__ __device__ constexpr uint residentBlocks(uint wanted, [[maybe_unused]] uint threads = kThreads) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
  return wanted < 1024 / threads ? wanted : 1024 / threads;
#else
  return wanted;
#endif
}

__device__ __forceinline__ uint laneOfWarp() { return threadIdx.x % kWarp; }
__device__ __forceinline__ uint warpOfBlock() { return threadIdx.x / kWarp; }
__device__ __forceinline__ uint countBits(uint mask) { return static_cast<uint>(__popc(mask)); }
__device__ __forceinline__ uint firstBit(uint mask) { return static_cast<uint>(__ffs(static_cast<int>(mask))) - 1; }
__device__ __forceinline__ uint lanesBelow() { return (1u << laneOfWarp()) - 1u; }

// Loads and stores that other blocks may meet; the words carry all that is handed over, so no order is needed.
#ifdef __CUDA_ARCH__
__device__ __forceinline__ u64 loadRelaxed(const u64* from) {
  u64 value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(from) : "memory");
  return value;
}
__device__ __forceinline__ uint loadRelaxed(const uint* from) {
  uint value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
  return value;
}
__device__ __forceinline__ void storeRelaxed(u64* to, u64 value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
__device__ __forceinline__ void storeRelaxed(uint* to, uint value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(to), "r"(value) : "memory");
}
// The same address, by lane 0 of a warp: the lane keeps the compiler from asking the warp who else adds to the word.
template <typename Word>
__device__ __forceinline__ Word* byFirstLane(Word* word) {
  uint lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return word + lane;
}
// Brings the aligned 64 bytes around a word, what memory hands out at a time, into the second-level cache with it.
__device__ __forceinline__ uint loadWithLine(const uint* from) {
  uint value;
  asm("ld.global.nc.L2::64B.u32 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
}
// Begins to bring the memory around an address into the second-level cache.
__device__ __forceinline__ void prefetchLine(const void* from) { asm volatile("prefetch.global.L2 [%0];" ::"l"(from)); }
#else
inline u64 loadRelaxed(const u64* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline uint loadRelaxed(const uint* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline void storeRelaxed(u64* to, u64 value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
inline void storeRelaxed(uint* to, uint value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
template <typename Word>
__device__ __forceinline__ Word* byFirstLane(Word* word) {
  return word + laneOfWarp();  // so that the tests see who is not the first
}
inline uint loadWithLine(const uint* from) { return *from; }
inline void prefetchLine(const void*) {}
#endif

using device::sumOfWarp;

// Tells the compiler that blocks have one dimension, which the functions of device.cuh leave open. The first
// statement of a kernel: what stands before it is compiled for any block.
__device__ __forceinline__ void assumeFlatBlock() {
#ifdef __CUDA_ARCH__
  __builtin_assume(threadIdx.y == 0);
  __builtin_assume(threadIdx.z == 0);
#endif
}

// The same value, of which the compiler knows nothing: what depends on it is computed here, and not kept in registers
// over a loop around it.
__device__ __forceinline__ uint unforeseen(uint value) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+r"(value));
#endif
  return value;
}

// Sum over the lower lanes of the warp (Hillis and Steele 1986).
__device__ __forceinline__ uint exclusiveSumOfWarp(uint value) {
  uint inclusive = value;
  SLU_UNROLL
  for (uint distance = 1; distance < kWarp; distance *= 2) {
    const uint lower = __shfl_up_sync(kFullWarp, inclusive, distance);
    if (laneOfWarp() >= distance) inclusive += lower;
  }
  return inclusive - value;
}

// Sum over the lower threads of a block of so many warps, behind `carried`, to which the block's sum is added. sums: a
// word per warp of shared memory; holds a barrier, and another must follow before the same words are used again.
template <uint kWarps, typename Sums>
__device__ __forceinline__ uint exclusiveSumOfBlock(uint value, Sums sums, uint& carried) {
  const uint below = exclusiveSumOfWarp(value);
  if (laneOfWarp() == kWarp - 1) sums[warpOfBlock()] = below + value;
  __syncthreads();
  const uint sum = laneOfWarp() < kWarps ? static_cast<uint>(sums[laneOfWarp()]) : 0;
  const uint before = carried + sumOfWarp(laneOfWarp() < warpOfBlock() ? sum : 0);
  carried += sumOfWarp(sum);
  return before + below;
}

template <typename T>
__device__ __forceinline__ T* at(SLU_ADDRESS base, u64 index = 0) {
  return reinterpret_cast<T*>(static_cast<u64>(base)) + index;
}

// How many whole units an address lies behind the beginning of its line. Blocks that begin to store there have each
// warp store lines that it has for itself, where the address is aligned to units.
template <typename Unit>
__device__ __forceinline__ uint unitsIntoLine(const Unit* address) {
  constexpr uint kLineBytes = 128;
  return static_cast<uint>(reinterpret_cast<u64>(address)) % kLineBytes / sizeof(Unit);
}

}  // namespace slu::cuda
