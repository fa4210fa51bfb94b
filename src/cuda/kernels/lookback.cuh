// Step 3 in stable order: the single-pass scan with decoupled look-back of Merrill and Garland (2016). A tile publishes
// its own count, then adds up its predecessors' until it meets one that knows its whole prefix. Tiles are taken by
// ticket, so every predecessor belongs to a block that runs already.
//
// A status word holds all that is handed over: value (32 bits), state (2), epoch (30). Words of earlier frames carry an
// older epoch and count as missing, so nothing is reset.
#pragma once

#include "rank.cuh"

namespace slu::cuda {

constexpr uint kEpochMask = (1u << 30) - 1;
constexpr uint kHasCount = 1;
constexpr uint kHasPrefix = 2;

__device__ __forceinline__ u64 statusWord(uint epoch, uint state, uint value) {
  return static_cast<u64>(epoch << 2 | state) << 32 | value;
}

// The records kept before the tile. Run by one whole warp; all lanes get the result.
__device__ __forceinline__ uint lookBack(u64* status, uint tile, uint epoch, uint kept) {
  if (laneOfWarp() == 0) storeRelaxed(status + tile, statusWord(epoch, tile == 0 ? kHasPrefix : kHasCount, kept));
  if (tile == 0) return 0;

  uint prefix = 0;
  for (uint end = tile;;) {  // predecessors before `end` are still to be added; lane i looks at end - 1 - i
    const bool exists = laneOfWarp() < end;
    u64 word = 0;
    for (;;) {
      word = exists ? loadRelaxed(status + (end - 1 - laneOfWarp())) : statusWord(epoch, kHasPrefix, 0);
      const bool isMissing = static_cast<uint>(word >> 34) != epoch || (word >> 32 & 3) == 0;
      if (!__any_sync(kFullWarp, isMissing)) break;
      __nanosleep(20);
    }
    const uint prefixes = __ballot_sync(kFullWarp, (word >> 32 & 3) == kHasPrefix);
    const uint last = prefixes != 0 ? firstBit(prefixes) : kWarp - 1;
    const uint value = laneOfWarp() <= last ? static_cast<uint>(word) : 0;
    prefix += sumOfWarp(value);
    if (prefixes != 0) break;
    end -= kWarp;
  }
  if (laneOfWarp() == 0) storeRelaxed(status + tile, statusWord(epoch, kHasPrefix, prefix + kept));
  return prefix;
}

}  // namespace slu::cuda
