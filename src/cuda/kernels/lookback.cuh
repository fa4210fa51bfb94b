// Step 3, reserve, stable: a single pass in which each tile learns how much the tiles before it keep, after the
// decoupled look-back of Merrill and Garland (2016), with three differences.
//  - A block publishes the count of its next tile before it looks back for the current one, so that the counts a tile
//    asks for are there already.
//  - Tiles form groups. A tile reads all counts of its group before it at once, a few per thread, and the
//    group's own prefix, which the last tile of the group before published: one round trip, whatever lies between.
//  - Tiles are taken by ticket, so every tile before belongs to a block that runs already.
//
// A status word holds all that is handed over: a count or prefix below, the frame's epoch above. Words of earlier frames
// carry other epochs and count as missing, so nothing is reset.
#pragma once

#include "reserve.cuh"

namespace slu::cuda {

// In the view's status words: those of the tiles, then those of the groups. Addresses are computed where they are used,
// to spare registers.
template <typename T, uint kGroup = kGroupTiles>
struct LookBack {
  static constexpr uint kTilesPerThread = kGroup / T::kThreads;
  static_assert(kGroup % T::kThreads == 0);

  const Arguments& arguments;
  uint epoch;

  __device__ __forceinline__ u64* tileWord(uint tile) const {
    return at<u64>(arguments.frame.chunks, static_cast<u64>(blockIdx.y) * arguments.plan.statusWords + tile);
  }
  __device__ __forceinline__ u64* groupWord(uint group) const { return tileWord(arguments.plan.maxTiles + group); }
  __device__ __forceinline__ u64 wordOf(uint value) const { return static_cast<u64>(epoch) << 32 | value; }

  // Waits until the word is of this frame.
  __device__ __forceinline__ uint await(const u64* word) const {
    for (;;) {
      const u64 loaded = loadRelaxed(word);
      if (static_cast<uint>(loaded >> 32) == epoch) return static_cast<uint>(loaded);
      __nanosleep(20);
    }
  }

  __device__ __forceinline__ void publishCount(uint tile, uint kept) const {
    if (threadIdx.x != 0) return;
    makeVisible(arguments);
    storeRelaxed(tileWord(tile), wordOf(kept));
  }

  // The records kept before the tile. All threads of the block take part. sums: a word per warp in shared memory, free on
  // entry; others may write them after the next barrier.
  template <typename Sums>
  __device__ __forceinline__ uint prefixOf(uint tile, uint kept, Sums sums) const {
    const uint group = tile / kGroup;
    const uint within = tile % kGroup;
    uint found = 0;
    SLU_UNROLL
    for (uint i = 0; i < kTilesPerThread; ++i) {
      const uint earlier = i * T::kThreads + threadIdx.x;
      if (earlier < within) found += await(tileWord(group * kGroup + earlier));
    }
    if (threadIdx.x == T::kThreads - 1 && group > 0) found += await(groupWord(group));
    const uint sum = sumOfWarp(found);
    if (laneOfWarp() == 0) sums[warpOfBlock()] = sum;
    __syncthreads();
    const uint prefix = sumOfWarp(laneOfWarp() < T::kWarps ? static_cast<uint>(sums[laneOfWarp()]) : 0u);
    if (threadIdx.x == 0 && within == kGroup - 1) storeRelaxed(groupWord(group + 1), wordOf(prefix + kept));
    return prefix;
  }
};

// A ticket, by one thread: the tile in the lower half, and the number of earlier frames above.
__device__ __forceinline__ u64 takeTicket(const FrameBlock& frame, uint view) {
  return atomicAdd(progressOf(frame, view), 1ull);
}

// Who took the last ticket of all leaves the word as the next frame needs it.
__device__ __forceinline__ void returnTicket(const FrameBlock& frame, uint view, uint epoch) {
  // No epoch is 0, which is what status words begin with.
  *progressOf(frame, view) = static_cast<u64>(epoch == 0xffffffffu ? 0u : epoch) << 32;
}

// Runs tiles of the block's view in the order of their tickets; the steps are those of compactUnordered; rank holds a
// barrier, which also keeps the steps of one tile apart from those of the next. Two buffers:
// while the current tile waits in one of them for its prefix, the next is ranked and staged into the other, and the loads
// of the one after that have begun. A block takes tickets until it gets one beyond the last tile, or just one where there
// are no more tiles than blocks. slots: two words of shared memory; sums: two words per warp, since two tiles may follow
// each other without a barrier between their look-backs.
template <typename T, typename Slots, typename Sums, typename Fetch, typename Rank, typename Stage, typename Emit>
__device__ __forceinline__ void compactStable(const Arguments& arguments, uint tileCount, Slots& slots, Sums& sums,
                                              const Fetch& fetch, const Rank& rank, const Stage& stage,
                                              const Emit& emit) {
  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  const bool takesOne = tileCount <= gridDim.x;
  // Blocks mostly start in order: the tile that the ticket should name is under way before it is here.
  const uint expected = blockIdx.x;
  u64 ticket = 0;
  if (threadIdx.x == 0) ticket = takeTicket(frame, view);
  if (expected < tileCount) fetch(expected);
  uint taken = static_cast<uint>(ticket);
  if (threadIdx.x == 0) {
    slots[0] = taken;
    slots[1] = static_cast<uint>(ticket >> 32) + 1;
  }
  __syncthreads();
  uint next = slots[0];
  const LookBack<T> lookBack{arguments, slots[1]};
  if (next != expected && next < tileCount) fetch(next);
  uint tile = tileCount;  // none yet
  uint kept = 0;
  uint buffer = 0;
  while (tile < tileCount || next < tileCount) {
    uint afterNext = tileCount;
    uint keptOfNext = 0;
    if (next < tileCount) {
      if (threadIdx.x == 0 && !takesOne) taken = static_cast<uint>(takeTicket(frame, view));
      keptOfNext = rank(next);
      lookBack.publishCount(next, keptOfNext);
      stage(1 - buffer);
      if (threadIdx.x == 0) slots[0] = takesOne ? tileCount : taken;
      __syncthreads();
      afterNext = slots[0];
      if (afterNext < tileCount) fetch(afterNext);
    }
    if (tile < tileCount) {
      const uint first = lookBack.prefixOf(tile, kept, &sums[buffer * T::kWarps]);
      emit(buffer, tile, kept, first);
      if (tile == tileCount - 1) publishSingle(arguments, view, first + kept);
    }
    tile = next;
    next = afterNext;
    kept = keptOfNext;
    buffer = 1 - buffer;
  }
  const uint last = takesOne ? gridDim.x - 1 : tileCount + gridDim.x - 1;
  if (threadIdx.x == 0 && taken == last) returnTicket(frame, view, lookBack.epoch);
}

}  // namespace slu::cuda
