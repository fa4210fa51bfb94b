// Step 3, reserve, stable: a single pass in which each tile learns how much the tiles before it keep. Tiles are taken
// by ticket and publish what they keep, so that those before belong to blocks that run already.
//  - A frame of one tile needs no ticket.
//  - A frame with a block for each tile, or whose plan is for few: a tile adds up the counts before it.
//  - A larger frame: the block with the first ticket takes no tile. It turns the counts into prefixes as they come, and
//    a tile waits for one word instead of looking back over hundreds (Merrill and Garland, "Single-pass Parallel Prefix
//    Scan with Decoupled Look-back", 2016), which kept the second-level cache busy. The trips more are hidden: a block
//    publishes the count of its next tile before it needs the prefix of the current one, and where survivors wait in
//    shared memory asks for that prefix while it ranks the next tile, and for a ticket a tile ahead. The block that
//    scans waits for tiles that are still to be taken: the GPU must have room for two blocks, beside those of frames
//    that run at the same time.
//
// A status word holds all that is handed over: a count or prefix below, the frame's epoch above. Words of earlier
// frames carry other epochs and count as missing, so that no frame resets them; but two in as many as there are epochs
// clear the words that they do not write, so that none is left when its epoch comes again.
#pragma once

#include "../steps/reserve.cuh"

namespace slu::cuda {

// The view's status words: the counts of all tiles, then their prefixes. Addresses are computed where they are used, to
// spare registers.
template <typename T>
struct LookBack {
  const Arguments& arguments;
  uint epoch;

  __device__ __forceinline__ u64* countWord(uint tile) const {
    const u64 before = static_cast<u64>(blockIdx.y) * kTileStatusWords * arguments.plan.maxTiles;
    return at<u64>(arguments.frame.tileStatus, before + tile);
  }
  __device__ __forceinline__ u64* prefixWord(uint tile) const { return countWord(arguments.plan.maxTiles + tile); }
  __device__ __forceinline__ u64 wordOf(uint value) const { return static_cast<u64>(epoch) << 32 | value; }
  __device__ __forceinline__ bool isOfThisFrame(u64 word) const { return static_cast<uint>(word >> 32) == epoch; }

  __device__ __forceinline__ uint await(const u64* word) const {
    for (;;) {
      const u64 loaded = loadRelaxed(word);
      if (isOfThisFrame(loaded)) return static_cast<uint>(loaded);
      __nanosleep(20);
    }
  }

  __device__ __forceinline__ void publishCount(uint tile, uint kept) const {
    if (threadIdx.x != 0) return;
    makeVisible(arguments);
    storeRelaxed(countWord(tile), wordOf(kept));
  }

  // Clears the words that a frame does not write which has so many counts and prefixes.
  __device__ __forceinline__ void clearOthers(uint counts, uint prefixes) const {
    const uint maxTiles = arguments.plan.maxTiles;
    for (uint tile = counts + threadIdx.x; tile < maxTiles; tile += T::kThreads) storeRelaxed(countWord(tile), 0);
    for (uint tile = prefixes + threadIdx.x; tile < maxTiles; tile += T::kThreads) storeRelaxed(prefixWord(tile), 0);
  }

  // The records kept before the tile; two ways, each for all threads of the block. sums: a word per warp in shared
  // memory, free on entry; others may write them after the next barrier.
  template <typename Sums>
  __device__ __forceinline__ uint sumOfCounts(uint tile, Sums sums) const {
    uint found = 0;
    for (uint earlier = threadIdx.x; earlier < tile; earlier += T::kThreads) found += await(countWord(earlier));
    const uint sum = sumOfWarp(found);
    if (laneOfWarp() == 0) sums[warpOfBlock()] = sum;
    __syncthreads();
    return sumOfWarp(laneOfWarp() < T::kWarps ? static_cast<uint>(sums[laneOfWarp()]) : 0u);
  }
  template <typename Sums>
  __device__ __forceinline__ uint prefix(uint tile, Sums sums) const {
    if (threadIdx.x == 0) sums[0] = await(prefixWord(tile));
    __syncthreads();
    return sums[0];
  }

  // Writes the prefixes of all tiles, in their order, as the counts come; while those of as many tiles as the block has
  // threads are added up, it asks for the next. sums: two words per warp.
  template <typename Sums>
  __device__ __forceinline__ void scanCounts(uint tileCount, Sums& sums) const {
    constexpr uint kSumBits = 24;  // of a warp's counts; above them how many it has
    static_assert(T::kRecords * kWarp < 1u << kSumBits);
    const auto ask = [&](uint tile) { return tile < tileCount ? loadRelaxed(countWord(tile)) : 0; };  // no epoch is 0
    uint buffer = 0;
    uint carried = 0;
    uint first = 0;
    u64 word = ask(threadIdx.x);
    while (first < tileCount) {
      const uint tile = first + threadIdx.x;
      const u64 ahead = ask(tile + T::kThreads);
      makeVisible(arguments);  // what tiles counted besides goes on to those that see the prefix
      const uint missing = ~__ballot_sync(kFullWarp, isOfThisFrame(word));
      const uint ready = missing == 0 ? kWarp : firstBit(missing);
      const uint count = laneOfWarp() < ready ? static_cast<uint>(word) : 0;
      const uint below = exclusiveSumOfWarp(count);
      const uint sum = sumOfWarp(count);
      if (laneOfWarp() == 0) sums[buffer + warpOfBlock()] = ready << kSumBits | sum;
      __syncthreads();
      const bool hasWarp = laneOfWarp() < T::kWarps;
      const uint ofWarp = hasWarp ? static_cast<uint>(sums[buffer + laneOfWarp()]) : kWarp << kSumBits;
      const uint whole = __ballot_sync(kFullWarp, ofWarp >> kSumBits == kWarp);
      const uint last = whole == kFullWarp ? T::kWarps - 1 : firstBit(~whole);  // warp before whose end none is missing
      const uint known = laneOfWarp() <= last ? ofWarp : 0;
      const uint knownSum = known & ((1u << kSumBits) - 1);
      const uint before = carried + sumOfWarp(laneOfWarp() < warpOfBlock() ? knownSum : 0);
      if (warpOfBlock() <= last && laneOfWarp() < ready) {
        makeVisible(arguments);
        storeRelaxed(prefixWord(tile), wordOf(before + below));
      }
      carried += sumOfWarp(knownSum);
      first += sumOfWarp(known >> kSumBits);
      word = whole == kFullWarp && isOfThisFrame(ahead) ? ahead : ask(first + threadIdx.x);
      buffer = T::kWarps - buffer;
    }
  }
};

// A ticket, by lane 0 of a warp: its number in the lower half, and the number of earlier frames above.
__device__ __forceinline__ u64 takeTicket(const FrameBlock& frame, uint view) {
  return atomicAdd(byFirstLane(progressOf(frame, view)), 1ull);
}

// The largest epoch that a status word of one bucket can carry.
constexpr uint kLastEpoch = 0xffffffffu;

// Who took the last ticket of all leaves the word as the next frame needs it. lastEpoch: the largest, all bits set.
__device__ __forceinline__ void returnTicket(const FrameBlock& frame, uint view, uint epoch, uint lastEpoch) {
  // No epoch is 0, which is what status words begin with.
  storeRelaxed(progressOf(frame, view), static_cast<u64>(epoch == lastEpoch ? 0u : epoch) << 32);
}

// Whether the frame of that epoch clears what others left: the one in the middle of them, and the last. Words that a
// frame writes itself are then no older than half a turn, so that the next one clears them in time.
__device__ __forceinline__ bool isClearing(uint epoch, uint lastEpoch) {
  const uint middle = lastEpoch / 2;
  return (epoch & middle) == middle;
}

// Where the survivors of a tile wait for its prefix.
enum class Waiting { inShared, inRegisters };

// Runs tiles of the block's view in the order of their tickets; the steps are those of compactUnordered; rank holds a
// barrier, which also keeps the steps of one tile apart from those of the next. Two buffers: while the current tile
// waits in one of them for its prefix, the next is ranked and staged into the other, and the loads of the one after
// that have begun. Survivors that wait in registers have one buffer: the next tile is staged once the current one has
// left, and the loads begin then. A block takes tickets, a tile ahead where survivors wait in shared memory, until it
// gets one beyond the last tile, or just one where there are no more tiles than blocks. kScans: whether a block of its
// own turns counts into prefixes where there are more; frames of few tiles are spared the code. slot: a word of shared
// memory; sums: two words per warp, since two tiles may follow each other without a barrier between their look-backs.
template <typename T, bool kScans = true, Waiting kWaiting = Waiting::inShared, typename Slot, typename Sums,
          typename Fetch, typename Rank, typename Stage, typename Emit>
__device__ __forceinline__ void compactStable(const Arguments& arguments, uint tileCount, Slot& slot, Sums& sums,
                                              const Fetch& fetch, const Rank& rank, const Stage& stage,
                                              const Emit& emit) {
  constexpr bool kAsksAhead = kWaiting == Waiting::inShared;  // else there are no registers for it
  SLU_SHARED_ARRAY(u64, early, 1);
  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  if (tileCount == 1 && blockIdx.x != 0) return;
  const bool takesOne = tileCount <= gridDim.x;
  const bool isScanned = kScans && !takesOne && gridDim.x > 1;
  const uint firstTile = isScanned ? 1 : 0;  // its ticket
  // Blocks mostly start in order: the tile that the ticket should name is under way before it is here.
  const uint expected = blockIdx.x - firstTile;
  u64 ticket = 0;
  if (threadIdx.x == 0 && tileCount > 1) ticket = takeTicket(frame, view);
  if (expected < tileCount) fetch(expected);
  if (threadIdx.x == 0) slot[0] = ticket;
  __syncthreads();
  ticket = slot[0];
  uint next = static_cast<uint>(ticket) - firstTile;
  const LookBack<T> lookBack{arguments, tileCount > 1 ? static_cast<uint>(ticket >> 32) + 1 : 0};  // 0: no tickets
  if (static_cast<uint>(ticket) == 0 && isClearing(lookBack.epoch, kLastEpoch)) {
    lookBack.clearOthers(tileCount, isScanned ? tileCount : 0);
  }
  if (isScanned && next == 0u - firstTile) return lookBack.scanCounts(tileCount, sums);
  const auto draw = [&] { return static_cast<uint>(takeTicket(frame, view)) - firstTile; };
  uint drawn = next;  // by one thread: its last ticket
  if (kAsksAhead && threadIdx.x == 0 && !takesOne && next < tileCount) drawn = draw();
  if (next != expected && next < tileCount) fetch(next);
  uint tile = tileCount;  // none yet
  uint kept = 0;
  uint buffer = 0;
  while (tile < tileCount || next < tileCount) {
    uint afterNext = tileCount;
    uint keptOfNext = 0;
    u64 prefix = 0;  // what the tile's word was while the next tile was ranked
    if (next < tileCount) {
      if (kAsksAhead && threadIdx.x == 0 && isScanned && tile < tileCount) {
        prefix = loadRelaxed(lookBack.prefixWord(tile));
      }
      if (!kAsksAhead && threadIdx.x == 0 && !takesOne) drawn = draw();
      keptOfNext = rank(next, 1 - buffer);
      if (lookBack.epoch != 0) lookBack.publishCount(next, keptOfNext);
      if (kWaiting == Waiting::inShared) stage(1 - buffer);
      if (threadIdx.x == 0) {
        slot[0] = takesOne ? tileCount : drawn;
        if (kAsksAhead && isScanned) early[0] = prefix;
        if (kAsksAhead && !takesOne && drawn < tileCount) drawn = draw();
      }
      __syncthreads();
      afterNext = static_cast<uint>(slot[0]);
      if (kAsksAhead && isScanned) prefix = early[0];
      if (kWaiting == Waiting::inShared && afterNext < tileCount) fetch(afterNext);
    }
    if (tile < tileCount) {
      const auto own = &sums[buffer * T::kWarps];
      const uint first = !isScanned                       ? lookBack.sumOfCounts(tile, own)
                         : lookBack.isOfThisFrame(prefix) ? static_cast<uint>(prefix)
                                                          : lookBack.prefix(tile, own);
      if (tile == tileCount - 1) publishSingle<T::kThreads>(arguments, view, first + kept);
      emit(buffer, tile, kept, first);
    }
    if (kWaiting == Waiting::inRegisters) {
      stage(1 - buffer);
      if (afterNext < tileCount) fetch(afterNext);
    }
    tile = next;
    next = afterNext;
    kept = keptOfNext;
    buffer = 1 - buffer;
  }
  // Beyond the tickets of tiles one of each block that takes tiles.
  const uint last = (takesOne ? 0 : tileCount) + gridDim.x - 1 - firstTile;
  if (threadIdx.x == 0 && drawn == last && lookBack.epoch != 0) returnTicket(frame, view, lookBack.epoch, kLastEpoch);
}

}  // namespace slu::cuda
