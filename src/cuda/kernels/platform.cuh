// What the kernels need of the language, so that the same source compiles with nvcc, with NVRTC and, for the tests,
// with a host compiler that stands in for the GPU.
#pragma once

#include "shaders/frame.h"
#include "shaders/predicate.h"

#ifdef __CUDACC__
#define SLU_SHARED_ARRAY(Type, name, count) __shared__ __align__(16) Type name[count]
#define SLU_UNROLL _Pragma("unroll")
#else
#define SLU_UNROLL
#endif

namespace slu::cuda {

using u64 = unsigned long long;

constexpr uint kWarp = 32;
constexpr uint kFullWarp = 0xffffffffu;

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
__device__ __forceinline__ void storeRelaxed(u64* to, u64 value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(to), "l"(value) : "memory");
}
#else
inline u64 loadRelaxed(const u64* from) { return __atomic_load_n(from, __ATOMIC_RELAXED); }
inline void storeRelaxed(u64* to, u64 value) { __atomic_store_n(to, value, __ATOMIC_RELAXED); }
#endif

// Copies of 16 bytes from global to shared memory that go on while the thread does. A thread waits for its own; others see
// them after a barrier.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
__device__ __forceinline__ void copyAsync(uint* to, const uint4* from) {
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from) : "memory");
}
__device__ __forceinline__ void commitAsync() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int kGroups>
__device__ __forceinline__ void waitAsync() {  // all but the latest kGroups have arrived
  asm volatile("cp.async.wait_group %0;" ::"n"(kGroups) : "memory");
}
#else
template <typename Pointer>
__device__ __forceinline__ void copyAsync(Pointer to, const uint4* from) {
  const uint4 four = *from;
  to[0] = four.x;
  to[1] = four.y;
  to[2] = four.z;
  to[3] = four.w;
}
__device__ __forceinline__ void commitAsync() {}
template <int kGroups>
__device__ __forceinline__ void waitAsync() {}
#endif

template <typename T>
__device__ __forceinline__ T* at(SLU_ADDRESS base, u64 index = 0) {
  return reinterpret_cast<T*>(static_cast<u64>(base)) + index;
}

}  // namespace slu::cuda
