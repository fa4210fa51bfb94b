// Step 2, rank: the place of each item among the flagged items of the tile. Flags and ranks are scalars and a vector, no
// arrays, which compilers may leave in memory.

shared uint sharedCounts[SLU_MAX_SUBGROUPS];
shared uint sharedRanked;  // the tile's flagged items, as subgroups rank theirs

// Of the counts that the subgroups' leaders have shared: the sum of those before this one's; returns that of all. Loads
// of several are under way together.
uint sumOfCounts(out uint before) {
  const uint kFlight = 8u;
  uint sum = 0u;
  before = 0u;
  [[dont_unroll]] for (uint first = 0u; first < subgroupCount; first += kFlight) {
    [[unroll]] for (uint i = 0u; i < kFlight; ++i) {
      uint count = first + i < subgroupCount ? sharedCounts[first + i] : 0u;
      before += first + i < subgroupIndex ? count : 0u;
      sum += count;
    }
  }
  return sum;
}

// flags: bit per item. ranks: of a row, the flagged items before this invocation's first. Returns how many there are. In
// uniform control flow; what was in shared memory before is visible to all afterwards.

// In record order.
uint rankInOrder(uint flags, out uvec4 ranks) {
  ranks = uvec4(0u);
  uint total = 0u;
  barrier();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    ranks[row] = total;
    [[unroll]] for (uint j = 0u; j < kGroup; ++j) {
      uint below;
      uint count;
      ballot((flags >> row * kGroup + j & 1u) != 0u, below, count);
      ranks[row] += below;
      total += count;
    }
  }
  if (subgroupLeader) sharedCounts[subgroupIndex] = total;
  barrier();
  uint before;
  uint sum = sumOfCounts(before);
  ranks += before;
  return sum;
}

// Subgroups as they come, so that none looks at the others.
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

// Of a number per invocation: the sum of those of lower lanes, and of all. In uniform control flow, after a barrier since
// the last of these functions.
uint sumOfLanes(uint number, out uint lower) {
  uint total = sumOfSubgroup(number, lower);
  if (subgroupLeader) sharedCounts[subgroupIndex] = total;
  barrier();
  uint before;
  uint sum = sumOfCounts(before);
  lower += before;
  return sum;
}
