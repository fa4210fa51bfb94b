// Step 3, reserve, several buckets: from the list of the tile's kept records.

// Sorts the list by bucket, stably: a split by each bit of the bucket, lowest first (Blelloch 1990), of as many bits as
// there are. Bucketed pipelines have groups of one, so item `row` of the invocation is list entry groupIndex(row).
void sortListByBucket(uint kept) {
  [[dont_unroll]] for (uint bit = 0u; bit < kBucketBits; ++bit) {
    uint entries[kMaxItems];
    uint zeros = 0u;
    [[unroll]] for (uint row = 0u; row < kRows; ++row) {
      uint k = groupIndex(row);
      entries[row] = k < kept ? sharedList[k] : 0u;
      zeros |= uint(k < kept && (bucketOf(entries[row]) >> bit & 1u) == 0u) << row;
    }
    uvec4 ranks;
    uint zeroCount = rankInOrder(zeros, ranks);
    [[unroll]] for (uint row = 0u; row < kRows; ++row) {
      uint k = groupIndex(row);
      if (k < kept) sharedList[(zeros >> row & 1u) != 0u ? ranks[row] : zeroCount + k - ranks[row]] = entries[row];
    }
    barrier();
  }
}

// The first entry of the sorted list that belongs to the bucket.
uint firstOfBucket(uint bucket, uint kept) {
  uint low = 0u;
  uint high = kept;
  [[dont_unroll]] while (low < high) {
    uint middle = (low + high) / 2u;
    if (bucketOf(sharedList[middle]) < bucket) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

// Capacity of a bucket, and the slot it begins at.
uvec2 placeOf(uint bucket) {
  BucketBlock block = loadBucket(ScratchPlace(plan.buckets), bucket);
  return uvec2(block.capacity, block.firstOutput);
}

uint slotIn(uvec2 place, uint outputRank) { return outputRank < place.x ? place.y + outputRank : SLU_DROPPED; }

// Whether the workgroup begins to arrive with this tile, its last one.
bool isLastTile(uint tile, uint inputs) {
#ifdef SLU_SEVERAL_DISPATCHES
  return false;
#else
  return tile + gl_NumWorkGroups.x >= tileCountOf(inputs);
#endif
}

// What the workgroup counts of its last tile, before the barrier that beginArrival needs.
void beginLast(uint view, bool isLast) {
#ifndef SLU_SEVERAL_DISPATCHES
  if (!isLast) return;
  addJoinedRejects(view);
  memoryBarrierBuffer();
#endif
}

// Stable order, or more buckets than are counted: from the list sorted by bucket.
void reserveSorted(uint view, uint kept, bool isLast) {
  sortListByBucket(kept);
  uint slots[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    uint bucket = k < kept ? bucketOf(sharedList[k]) : SLU_DROPPED;
    // The last of its bucket reserves for all of it.
    if (k + 1u == kept || (k < kept && bucketOf(sharedList[k + 1u]) != bucket)) {
      uint first = firstOfBucket(bucket, kept);
      sharedSlots[first] = reserve(view, bucket, k + 1u - first);
    }
  }
  beginLast(view, isLast);
  barrier();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    slots[row] = SLU_DROPPED;
    if (k < kept) {
      uint bucket = bucketOf(sharedList[k]);
      uint first = firstOfBucket(bucket, kept);
      slots[row] = slotIn(placeOf(bucket), sharedSlots[first] + k - first);
    }
  }
  barrier();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept) sharedSlots[k] = slots[row];
  }
  barrier();
}

// Unordered: a record's rank in its bucket is how many came before it at a counter in shared memory. The list may stay in
// any order.
const bool kCountsBuckets = kBucketed && kStable == 0u && kBucketBits <= SLU_COUNTED_BITS;
// Zero between tiles. Of a bucket: its kept records, then the slot of the first.
shared uint sharedBuckets[kCountsBuckets ? 1u << kBucketBits : 1u];

void beginCounting() {
  if (!kCountsBuckets) return;
  for (uint bucket = laneIndex; bucket < 1u << kBucketBits; bucket += SLU_WORKGROUP) sharedBuckets[bucket] = 0u;
}

// Neighbours reserve for neighbouring buckets, whose counters share lines of memory.
void reserveCounted(uint view, uint kept, bool isLast) {
  uint ranks[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    ranks[row] = k < kept ? atomicAdd(sharedBuckets[bucketOf(sharedList[k])], 1u) : 0u;
  }
  barrier();
  // Until there are slots, sharedSlots has how many records of a bucket fit.
  for (uint bucket = laneIndex; bucket < 1u << kBucketBits; bucket += SLU_WORKGROUP) {
    uint count = sharedBuckets[bucket];
    if (count != 0u) {
      uvec2 place = placeOf(bucket);
      uint first = reserve(view, bucket, count);
      sharedBuckets[bucket] = place.y + first;
      sharedSlots[bucket] = first < place.x ? min(count, place.x - first) : 0u;
    }
  }
  beginLast(view, isLast);
  barrier();
  uint slots[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    slots[row] = SLU_DROPPED;
    if (k < kept) {
      uint bucket = bucketOf(sharedList[k]);
      if (ranks[row] < sharedSlots[bucket]) slots[row] = sharedBuckets[bucket] + ranks[row];
    }
  }
  barrier();
  beginCounting();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept) sharedSlots[k] = slots[row];
  }
  barrier();
}

// isLast: of the workgroup's tiles, whose rejects are joined.
void reserveBuckets(uint view, uint kept, bool isLast) {
  if (kCountsBuckets) {
    reserveCounted(view, kept, isLast);
  } else {
    reserveSorted(view, kept, isLast);
  }
}
