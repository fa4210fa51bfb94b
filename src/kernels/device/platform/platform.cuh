// Hides how compilers differ. The kernels compile with nvcc, with NVRTC, and for the tests with a host compiler. The
// tests then execute them on the CPU.
#pragma once

#include <sluice/culling.h>

#include <sluice/device.cuh>

#include "../../../../shaders/shared/rules.h"
#include "../platform/arguments.h"

#ifdef __CUDACC__
#define SLU_SHARED_ARRAY(Type, name, count) __shared__ __align__(16) Type name[count]
// Aligned to cache lines. Bulk copies into it need only 16 bytes.
#define SLU_SHARED_DYNAMIC(Type, name)                            \
  extern __shared__ __align__(128) unsigned char dynamicShared[]; \
  Type* const name = reinterpret_cast<Type*>(dynamicShared)
#define SLU_SHARED_POINTER(Type) Type*
#define SLU_UNROLL _Pragma("unroll")
#define SLU_UNROLL_BY_4 _Pragma("unroll 4")  // where more would take registers that are in use
#define SLU_NO_UNROLL _Pragma("unroll 1")    // for the same reason, and where one round is usual
#else
#define SLU_UNROLL
#define SLU_UNROLL_BY_4
#define SLU_NO_UNROLL
#endif

namespace slu::cuda {

constexpr uint kWarp = 32;
constexpr uint kFullWarp = 0xffffffffu;

// For __launch_bounds__: how many blocks a multiprocessor should hold at once. One of Turing holds 1,024 threads.
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

// Relaxed loads and stores, for words that other blocks access meanwhile. A word holds everything that is handed over,
// so no ordering is needed.
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
// Returns the same address. Lane 0 of a warp calls this before an atomic. The address then depends on the lane, so the
// compiler does not add up the atomics of the warp first.
template <typename Word>
__device__ __forceinline__ Word* byFirstLane(Word* word) {
  uint lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return word + lane;
}
// Loads a word, and brings the aligned 64 bytes around it into the second-level cache: memory delivers that much at a
// time.
__device__ __forceinline__ uint loadWithLine(const uint* from) {
  uint value;
  asm("ld.global.nc.L2::64B.u32 %0, [%1];" : "=r"(value) : "l"(from));
  return value;
}
// Starts to bring the memory around an address into the second-level cache.
__device__ __forceinline__ void prefetchLine(const void* from) { asm volatile("prefetch.global.L2 [%0];" ::"l"(from)); }
#else
inline u64 loadRelaxed(const u64* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline uint loadRelaxed(const uint* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline void storeRelaxed(u64* to, u64 value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
inline void storeRelaxed(uint* to, uint value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
template <typename Word>
__device__ __forceinline__ Word* byFirstLane(Word* word) {
  return word + laneOfWarp();  // so that the tests notice a lane that is not the first
}
inline uint loadWithLine(const uint* from) { return *from; }
inline void prefetchLine(const void*) {}
#endif

using device::sumOfWarp;

// Tells the compiler that blocks have one dimension, which the functions of device.cuh do not assume. It is the first
// statement of a kernel, since code before it is compiled for any block.
__device__ __forceinline__ void assumeFlatBlock() {
#ifdef __CUDA_ARCH__
  __builtin_assume(threadIdx.y == 0);
  __builtin_assume(threadIdx.z == 0);
#endif
}

// Returns the same value, but hides from the compiler where it comes from. What depends on it is then computed here,
// and not kept in registers across a loop around this.
__device__ __forceinline__ uint unforeseen(uint value) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+r"(value));
#endif
  return value;
}

// Returns the sum over the lower lanes of the warp (Hillis and Steele 1986).
__device__ __forceinline__ uint exclusiveSumOfWarp(uint value) {
  uint inclusive = value;
  SLU_UNROLL
  for (uint distance = 1; distance < kWarp; distance *= 2) {
    const uint lower = __shfl_up_sync(kFullWarp, inclusive, distance);
    if (laneOfWarp() >= distance) inclusive += lower;
  }
  return inclusive - value;
}

// Returns `carried` plus the sum over the lower threads of a block of kWarps warps, and adds the block's sum to
// `carried`. sums: a word of shared memory per warp. Contains a barrier. Another one must follow before the same words
// are used again.
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

// Returns how many whole units an address lies after the beginning of its cache line. If the block's first thread
// begins that many units before the address, each warp stores whole lines. The address must be aligned to units for
// this.
template <typename Unit>
__device__ __forceinline__ uint unitsIntoLine(const Unit* address) {
  constexpr uint kLineBytes = 128;
  return static_cast<uint>(reinterpret_cast<u64>(address)) % kLineBytes / sizeof(Unit);
}

}  // namespace slu::cuda
