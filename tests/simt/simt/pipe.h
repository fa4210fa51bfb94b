// Barriers in shared memory at which threads and copies arrive, and these copies: for the CPU what
// src/kernels/device/platform/pipe.cuh has for GPUs. Found by their arguments, so that kernels name no namespace.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine.h"
#include "shared.h"

namespace simt {

using BarrierWord = SharedPointer<unsigned long long>;

inline void initBarrier(BarrierWord barrier, unsigned count) {
  *barrier = 0;
  initBarrier(barrier.forAtomic(), count);
}
inline void arriveAt(BarrierWord barrier) { arriveAt(barrier.forAtomic(), 0); }
inline void arriveExpecting(BarrierWord barrier, unsigned bytes) { arriveAt(barrier.forAtomic(), bytes); }
inline void awaitPhase(BarrierWord barrier, unsigned phase, Site site = Site::here()) {
  awaitPhase(barrier.forAtomic(), phase, site);
}

// To the checks the copy is the caller's: others have to await the barrier's phase before they may read.
template <typename T>
void copyBulk(SharedPointer<T> to, const T* from, unsigned bytes, BarrierWord barrier) {
  if (reinterpret_cast<std::uintptr_t>(from) % 16 != 0) fault("copies from an address that 16 does not divide");
  if (bytes % 16 != 0) fault("copies a number of bytes that 16 does not divide");
  if (to.offset() * sizeof(T) % 16 != 0) fault("copies to an address that 16 does not divide");
  for (std::size_t i = 0; i < bytes / sizeof(T); ++i) to[i] = from[i];
  finishCopy(barrier.forAtomic(), bytes);
}

}  // namespace simt

// Of proxies, by which hardware tells copies from threads, the checks know nothing.
inline void showBarriersToCopies() {}
