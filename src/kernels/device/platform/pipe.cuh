// What lets a block work while tiles are on their way: barriers in shared memory at which threads and copies arrive,
// and the copies, which run by themselves. PTX calls them mbarrier and cp.async.bulk. GPUs have them from sm_90 on;
// compiled for others, kernels that need them are empty, and no plan may choose them.
//
// A barrier is a word of shared memory that passes from phase to phase, the first of which is 0. A phase ends when as
// many have arrived as the barrier was made for, and the bytes that they expect. What a thread did before it arrives, and
// what was copied, is seen by those who await the phase.
//
// The tests' executor has the same functions for the CPU.
#pragma once

#include "../platform/platform.cuh"

namespace slu::cuda {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool kHasBulkCopies = false;
#else
constexpr bool kHasBulkCopies = true;
#endif

#ifdef __CUDACC__

__device__ __forceinline__ uint sharedAddress(const void* pointer) {
  return static_cast<uint>(__cvta_generic_to_shared(pointer));
}

// By one thread. count: arrivals that a phase takes.
__device__ __forceinline__ void initBarrier(u64* barrier, uint count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(count) : "memory");
}

// By the same thread, after it has made them all; a barrier of the block follows.
__device__ __forceinline__ void showBarriersToCopies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ __forceinline__ void arriveAt(u64* barrier) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(sharedAddress(barrier))
               : "memory");
}

// The phase ends no sooner than copies have brought so many bytes more.
__device__ __forceinline__ void arriveExpecting(u64* barrier, uint bytes) {
  asm volatile(
      "{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(sharedAddress(barrier)),
      "r"(bytes)
      : "memory");
}

// Until the phase is over: the one that the barrier is in, or the one before.
__device__ __forceinline__ void awaitPhase(u64* barrier, uint phase) {
  uint isOver;
  do {
    asm volatile(
        "{ .reg .pred over; mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2; selp.u32 %0, 1, 0, over; }"
        : "=r"(isOver)
        : "r"(sharedAddress(barrier)), "r"(phase % 2)
        : "memory");
  } while (isOver == 0);
}

// Begins to copy from global to shared memory, which arrives at the barrier as bytes. All but the barrier are multiples
// of 16.
__device__ __forceinline__ void copyBulk(void* to, const void* from, uint bytes, u64* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(sharedAddress(barrier))
               : "memory");
}

#endif

}  // namespace slu::cuda
