// Step 2, rank: the place of each item among the flagged items of the tile, in record order.

shared uint sharedCounts[kRows * SLU_MAX_SUBGROUPS];

// ranks[item]: flagged items before it, for flagged and unflagged items alike. Returns the tile's total. In uniform
// control flow; what was in shared memory before is visible to all afterwards.
uint rank(bool flags[kMaxItems], out uint ranks[kMaxItems]) {
  barrier();
  for (uint row = 0u; row < kRows; ++row) {
    uint below = 0u;
    uint total = 0u;
    for (uint j = 0u; j < kGroup; ++j) {
      uint itemBelow;
      uint itemTotal;
      ballot(flags[row * kGroup + j], itemBelow, itemTotal);
      below += itemBelow;
      total += itemTotal;
    }
    for (uint j = 0u; j < kGroup; ++j) {
      ranks[row * kGroup + j] = below;
      below += uint(flags[row * kGroup + j]);
    }
    if (subgroupLeader) sharedCounts[row * subgroupCount + subgroupIndex] = total;
  }
  barrier();
  uint sum = 0u;
  for (uint row = 0u; row < kRows; ++row) {
    uint before = 0u;
    [[dont_unroll]] for (uint s = 0u; s < subgroupCount; ++s) {
      if (s == subgroupIndex) before = sum;
      sum += sharedCounts[row * subgroupCount + s];
    }
    for (uint j = 0u; j < kGroup; ++j) ranks[row * kGroup + j] += before;
  }
  return sum;
}
