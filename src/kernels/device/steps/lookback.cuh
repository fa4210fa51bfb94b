// Step 3, reserve, in stable order with one bucket: a single pass in which each tile learns how many records the tiles
// before it keep. Tiles are taken by ticket and publish how many they keep, so that earlier tiles belong to blocks that
// already run.
//  - A frame of one tile needs no ticket.
//  - In a frame with a block for each tile, or of a plan for few tiles, a tile adds up the counts before it.
//  - In a larger frame, the block with the first ticket takes no tile. It turns the counts into prefixes as they
//    arrive, and a tile waits for one word. To look back over hundreds of tiles instead (Merrill and Garland,
//    "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016) kept the second-level cache busy.
//
// A prefix costs another round trip to memory, which is hidden. A block publishes the count of its next tile before it
// needs the prefix of the current one. If survivors wait in shared memory, it also loads that prefix while it ranks the
// next tile, and takes tickets a tile ahead. The block that scans waits for tiles that are not taken yet. So the GPU
// must have room for two blocks, in addition to those of frames that run at the same time.
//
// A status word holds everything that is handed over: a count or a prefix in the lower half, and the epoch of the frame
// in the upper half. Words of earlier frames have other epochs and count as missing, so frames need not reset them.
// Epochs repeat after a cycle. Two frames of each cycle therefore clear the words that they do not write, so that no
// word is left when its epoch returns.
#pragma once

#include "../steps/reserve.cuh"

namespace slu::cuda {

// The view's status words: the counts of all tiles, then their prefixes. Addresses are computed where they are used,
// which saves registers.
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

  // Clears the words that a frame with so many counts and prefixes does not write.
  __device__ __forceinline__ void clearOthers(uint counts, uint prefixes) const {
    const uint maxTiles = arguments.plan.maxTiles;
    for (uint tile = counts + threadIdx.x; tile < maxTiles; tile += T::kThreads) storeRelaxed(countWord(tile), 0);
    for (uint tile = prefixes + threadIdx.x; tile < maxTiles; tile += T::kThreads) storeRelaxed(prefixWord(tile), 0);
  }

  // sumOfCounts and prefix return how many records the tiles before this one keep. All threads of the block call one of
  // them. sums: a word per warp in shared memory, free on entry. Other threads may write them after the next barrier.
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

  // Publishes the prefixes of all tiles, in order, as the counts arrive. The block adds up the counts of one tile per
  // thread, and loads those of the next tiles meanwhile. sums: two words per warp.
  template <typename Sums>
  __device__ __forceinline__ void scanCounts(uint tileCount, Sums& sums) const {
    constexpr uint kSumBits = 24;  // of the sum of a warp's counts; above it, how many counts there are
    static_assert(T::kRecords * kWarp < 1u << kSumBits);
    const auto ask = [&](uint tile) { return tile < tileCount ? loadRelaxed(countWord(tile)) : 0; };  // no epoch is 0
    uint buffer = 0;
    uint carried = 0;
    uint first = 0;
    u64 word = ask(threadIdx.x);
    while (first < tileCount) {
      const uint tile = first + threadIdx.x;
      const u64 ahead = ask(tile + T::kThreads);
      makeVisible(arguments);  // the rejects of these tiles become visible with the prefix
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
      const uint last = whole == kFullWarp ? T::kWarps - 1 : firstBit(~whole);  // the first warp that lacks a count
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

// Takes a ticket. Lane 0 of a warp calls this. Returns the number of the ticket in the lower half, and in the upper
// half the epoch of the last frame that took tickets.
__device__ __forceinline__ u64 takeTicket(const FrameBlock& frame, uint view) {
  return atomicAdd(byFirstLane(progressOf(frame, view)), 1ull);
}

// Returns the epoch of the frame whose ticket it is. Thread 0 of each block of the frame gets the same.
__device__ __forceinline__ uint epochOf(u64 ticket) { return static_cast<uint>(ticket >> 32) + 1; }

// The largest epoch that a status word of LookBack can hold.
constexpr uint kLastEpoch = 0xffffffffu;

// The thread with the last ticket of the frame calls this, and leaves the word as the next frame needs it. lastEpoch:
// the largest epoch, with all bits set.
__device__ __forceinline__ void returnTicket(const FrameBlock& frame, uint view, uint epoch, uint lastEpoch) {
  // The first epoch is 1, because status words are 0 before the first frame.
  storeRelaxed(progressOf(frame, view), static_cast<u64>(epoch == lastEpoch ? 0u : epoch) << 32);
}

// Returns whether the frame of that epoch clears the words that it does not write: that of the middle epoch and that of
// the last. The words that one of them writes are cleared or overwritten by the other, half a cycle later.
__device__ __forceinline__ bool isClearing(uint epoch, uint lastEpoch) {
  const uint middle = lastEpoch / 2;
  return (epoch & middle) == middle;
}

// Frames that choose between two algorithms have two words for it (keptManyWord). They return the word that a frame
// reads, by its epoch. It writes the other one.
__device__ __forceinline__ uint turnOf(uint epoch) { return epoch & 1; }

// The first ticket of a block: one that it has taken before it runs tiles, or none.
struct FirstTicket {
  bool isTaken = false;
  u64 ticket = 0;
};

// Where the survivors of a tile wait for its prefix.
enum class Waiting { inShared, inRegisters };

// Runs tiles of the block's view in the order of their tickets. The steps are those of compactUnordered. The barrier in
// rank also separates the steps of one tile from those of the next.
//
// Survivors that wait in shared memory have two buffers. While the current tile waits for its prefix in one of them,
// the next tile is ranked and staged into the other, and the loads of the tile after that are in flight. Survivors that
// wait in registers have one buffer: the next tile is staged when the current one has been stored, and then the loads
// of the tile after that begin.
//
// A block takes tickets until it gets one beyond the last tile. If survivors wait in shared memory, it takes them a
// tile ahead. If there are no more tiles than blocks, each block takes a single ticket.
//
// kScans: whether one block turns counts into prefixes if there are more tiles than blocks. Kernels for few tiles do
// without that code. slot: a word of shared memory. sums: two words per warp, since two tiles may look back without a
// barrier in between. taken: the block's first ticket, if it has one; in a frame of one tile 0.
template <typename T, bool kScans = true, Waiting kWaiting = Waiting::inShared, bool kIsScene = false,
          bool kIsMerged = false, typename Slot, typename Sums, typename Fetch, typename Rank, typename Stage,
          typename Emit>
__device__ __forceinline__ void compactStable(const Arguments& arguments, uint tileCount, Slot& slot, Sums& sums,
                                              const Fetch& fetch, const Rank& rank, const Stage& stage,
                                              const Emit& emit, const FirstTicket& taken = {}) {
  constexpr bool kAsksAhead = kWaiting == Waiting::inShared;  // otherwise registers are short
  SLU_SHARED_ARRAY(u64, early, 1);
  const FrameBlock& frame = arguments.frame;
  const uint view = blockIdx.y;
  if (tileCount == 1 && blockIdx.x != 0) return;
  const bool takesOne = tileCount <= gridDim.x;
  const bool isScanned = kScans && !takesOne && gridDim.x > 1;
  const uint firstTile = isScanned ? 1 : 0;  // the ticket of tile 0
  // Blocks mostly start in order. So the loads of the tile that the ticket should name begin before the ticket arrives.
  const uint expected = taken.isTaken ? tileCount : blockIdx.x - firstTile;
  u64 ticket = taken.ticket;
  if (!taken.isTaken) {
    if (threadIdx.x == 0 && tileCount > 1) ticket = takeTicket(frame, view);
    if (expected < tileCount) fetch(expected);
    if (threadIdx.x == 0) slot[0] = ticket;
    __syncthreads();
    ticket = slot[0];
  }
  uint next = static_cast<uint>(ticket) - firstTile;
  const LookBack<T> lookBack{arguments, tileCount > 1 ? epochOf(ticket) : 0};  // 0: no tickets
  if (static_cast<uint>(ticket) == 0 && isClearing(lookBack.epoch, kLastEpoch)) {
    lookBack.clearOthers(tileCount, isScanned ? tileCount : 0);
  }
  if (isScanned && next == 0u - firstTile) return lookBack.scanCounts(tileCount, sums);
  const auto draw = [&] { return static_cast<uint>(takeTicket(frame, view)) - firstTile; };
  uint drawn = next;  // of thread 0: its last ticket, as a tile
  if (kAsksAhead && threadIdx.x == 0 && !takesOne && next < tileCount) drawn = draw();
  if (next != expected && next < tileCount) fetch(next);
  uint tile = tileCount;  // none yet
  uint kept = 0;
  uint buffer = 0;
  while (tile < tileCount || next < tileCount) {
    uint afterNext = tileCount;
    uint keptOfNext = 0;
    u64 prefix = 0;  // the prefix word of the tile, loaded while the next tile is ranked
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
      if (tile == tileCount - 1) {
        publishSingle<T::kThreads, kIsScene, kIsMerged>(arguments, view, first + kept, 1 - turnOf(lookBack.epoch));
      }
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
  // The last ticket of the frame, as a tile. After the tickets of the tiles, each block that takes tiles takes one
  // more, unless it takes a single one.
  const uint last = (takesOne ? 0 : tileCount) + gridDim.x - 1 - firstTile;
  if (threadIdx.x == 0 && drawn == last && lookBack.epoch != 0) returnTicket(frame, view, lookBack.epoch, kLastEpoch);
}

}  // namespace slu::cuda
