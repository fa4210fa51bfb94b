// Copies that run while the block works, and the barriers in shared memory at which threads and copies arrive. PTX
// calls them cp.async.bulk and mbarrier. GPUs have them from sm_90 on. Compiled for older GPUs, kernels that need them
// are empty, and no plan may choose them.
//
// A barrier is a word of shared memory that goes through phases, which are numbered from 0. A phase ends when as many
// threads have arrived as initBarrier says, and all bytes that they expect have been copied. A thread that has awaited
// a phase sees what was copied, and what the arriving threads wrote before they arrived.
//
// The tests' executor implements these functions for the CPU.
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

// One thread calls this. count: how many arrivals a phase takes.
__device__ __forceinline__ void initBarrier(u64* barrier, uint count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(sharedAddress(barrier)), "r"(count) : "memory");
}

// Makes the barriers visible to bulk copies. The thread that has initialized them calls this, and the block synchronizes
// afterwards.
__device__ __forceinline__ void showBarriersToCopies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

__device__ __forceinline__ void arriveAt(u64* barrier) {
  asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(sharedAddress(barrier))
               : "memory");
}

// Arrives, and lets the phase end only when copies have brought so many bytes more.
__device__ __forceinline__ void arriveExpecting(u64* barrier, uint bytes) {
  asm volatile(
      "{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(sharedAddress(barrier)),
      "r"(bytes)
      : "memory");
}

// Returns when the phase is over. It is the barrier's current phase or the one before.
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

// Starts a copy from global to shared memory, whose bytes arrive at the barrier. Addresses and bytes are multiples of
// 16.
__device__ __forceinline__ void copyBulk(void* to, const void* from, uint bytes, u64* barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                   sharedAddress(to)),
               "l"(__cvta_generic_to_global(from)), "r"(bytes), "r"(sharedAddress(barrier))
               : "memory");
}

#endif

}  // namespace slu::cuda
