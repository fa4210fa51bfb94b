// Step 2, rank: the place of each item among the flagged items of the tile. Flags and ranks are scalars and a vector, no
// arrays, which compilers may leave in memory.

shared uint sharedCounts[kRows * SLU_MAX_SUBGROUPS];
shared uint sharedRanked;  // the tile's flagged items, as subgroups rank theirs

// flags: bit per item. ranks: of a row, the flagged items before this invocation's first. Returns how many there are. In
// uniform control flow; what was in shared memory before is visible to all afterwards.

// In record order.
uint rankInOrder(uint flags, out uvec4 ranks) {
  barrier();
  ranks = uvec4(0u);
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint total = 0u;
    [[unroll]] for (uint j = 0u; j < kGroup; ++j) {
      uint below;
      uint count;
      ballot((flags >> row * kGroup + j & 1u) != 0u, below, count);
      ranks[row] += below;
      total += count;
    }
    if (subgroupLeader) sharedCounts[row * subgroupCount + subgroupIndex] = total;
  }
  barrier();
  uint sum = 0u;
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    [[dont_unroll]] for (uint s = 0u; s < subgroupCount; ++s) {
      if (s == subgroupIndex) ranks[row] += sum;
      sum += sharedCounts[row * subgroupCount + s];
    }
  }
  return sum;
}

// Subgroups as they come, each with its rows one behind the other: no loop over the others, and neighbours stay such.
uint rankAsTheyCome(uint flags, out uvec4 ranks) {
  const uint kCountBits = kGroup >= 4u ? 3u : kGroup;  // of an invocation's flags in a row
  if (laneIndex == 0u) sharedRanked = 0u;
  barrier();
  ranks = uvec4(0u);
  uint total = 0u;
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    ranks[row] = total;
    uint own = bitCount(flags >> row * kGroup & (1u << kGroup) - 1u);
    [[unroll]] for (uint bit = 0u; bit < kCountBits; ++bit) {
      uint below;
      uint count;
      ballot((own >> bit & 1u) != 0u, below, count);
      ranks[row] += below << bit;
      total += count << bit;
    }
  }
  if (subgroupLeader) sharedCounts[subgroupIndex] = atomicAdd(sharedRanked, total);
  barrier();
  ranks += sharedCounts[subgroupIndex];
  return sharedRanked;
}

uint rank(uint flags, out uvec4 ranks) {
  return kStable != 0u ? rankInOrder(flags, ranks) : rankAsTheyCome(flags, ranks);
}

// Of an item, flagged or not.
uint rankOf(uint item, uint flags, uvec4 ranks) {
  uint row = item / kGroup;
  return ranks[row] + bitCount(flags >> row * kGroup & (1u << item % kGroup) - 1u);
}

// The same of one item per invocation, in their order.
uint rankLanes(bool flag, out uint lower) {
  uint total;
  barrier();
  ballot(flag, lower, total);
  if (subgroupLeader) sharedCounts[subgroupIndex] = total;
  barrier();
  uint sum = 0u;
  [[dont_unroll]] for (uint s = 0u; s < subgroupCount; ++s) {
    if (s == subgroupIndex) lower += sum;
    sum += sharedCounts[s];
  }
  return sum;
}
