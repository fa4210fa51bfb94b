// Step 2, rank: finds the place of each item among the flagged items of the tile. Flags are a scalar and ranks a
// vector, because compilers may leave arrays in memory.

shared uint sharedCounts[SLU_MAX_SUBGROUPS];
shared uint sharedRanked;  // how many flagged items of the tile have ranks

// Adds up the counts that the leaders of the subgroups have put into sharedCounts. before: the sum of the earlier
// subgroups. Returns the sum of all. Several loads are in flight together.
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

// The functions below rank the flagged items. flags: a bit per item. ranks: per row, how many flagged items precede the
// invocation's first item of the row. They return how many items are flagged. In uniform control flow. What was in
// shared memory before is visible to all afterwards.

// Ranks in record order.
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

// Ranks the subgroups in the order in which they arrive, so that none reads the counts of others.
uint rankAsTheyCome(uint flags, out uvec4 ranks) {
  const uint kCountBits = kGroup >= 4u ? 3u : kGroup;  // of the count of an invocation in a row
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

// Returns the rank of an item, flagged or not.
uint rankOf(uint item, uint flags, uvec4 ranks) {
  uint row = item / kGroup;
  return ranks[row] + bitCount(flags >> row * kGroup & (1u << item % kGroup) - 1u);
}

// Returns the sum of the numbers of all invocations. lower: the sum of those of lower lanes. In uniform control flow,
// and after a barrier since the last call of these functions.
uint sumOfLanes(uint number, out uint lower) {
  uint total = sumOfSubgroup(number, lower);
  if (subgroupLeader) sharedCounts[subgroupIndex] = total;
  barrier();
  uint before;
  uint sum = sumOfCounts(before);
  lower += before;
  return sum;
}
