// Step 3, reserve, several buckets: finds the output slot of each entry of the tile's list.

// Sorts the list by bucket in stable order: a split by each bit of the bucket's number, lowest bit first (Blelloch
// 1990). Bucketed pipelines have groups of one record, so the invocation's item `row` is list entry groupIndex(row).
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

// Returns the first entry of the bucket in the sorted list.
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

// Returns the capacity and the first slot of a bucket. Packed buckets are placed by publish.comp.
uvec2 placeOf(uint view, uint bucket) {
#ifdef SLU_TESTED_BEFORE
  if (isGiven(plan.places)) return loadTwo(placeAt(view, bucket));
#endif
  BucketBlock block = loadBucket(ScratchPlace(plan.buckets), bucket);
  return uvec2(block.capacity, block.firstOutput);
}

uint slotIn(uvec2 place, uint outputRank) { return outputRank < place.x ? place.y + outputRank : SLU_DROPPED; }

// Returns whether the tile is the last of its workgroup, which then begins to arrive. With several dispatches no
// workgroup arrives.
bool isLastTile(uint tile, uint inputs) {
#ifdef SLU_SEVERAL_DISPATCHES
  return false;
#else
  return tile + SLU_WORKGROUP_COUNT >= tileCountOf(inputs);
#endif
}

// With the last tile: adds the workgroup's rejects to the view's, and orders all that the invocation has counted before
// the barrier that follows. beginArrival needs that.
void beginLast(uint view, bool isLast) {
#ifndef SLU_SEVERAL_DISPATCHES
  if (!isLast) return;
  addJoinedRejects(view);
  memoryBarrierBuffer();
#endif
}

// Reserves from a sorted list. This is for stable order, and for more buckets than a tile counts (SLU_COUNTED_BITS).
void reserveSorted(uint view, uint kept, bool isLast) {
  sortListByBucket(kept);
  uint slots[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    uint bucket = k < kept ? bucketOf(sharedList[k]) : SLU_DROPPED;
    // The last entry of a bucket reserves for all of its entries.
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
      slots[row] = slotIn(placeOf(view, bucket), sharedSlots[first] + k - first);
    }
  }
  barrier();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept) sharedSlots[k] = slots[row];
  }
  barrier();
}

// Whether a tile counts its records per bucket in shared memory. That is for unordered plans: a counter gives each
// record a rank in its bucket, and the list stays as it is.
const bool kCountsBuckets = kBucketed && kStable == 0u && kBucketBits <= SLU_COUNTED_BITS;
// These are zero between tiles. Within a tile: the kept records of a bucket, then the slot of the first of them.
shared uint sharedBuckets[kCountsBuckets ? 1u << kBucketBits : 1u];

void beginCounting() {
  if (!kCountsBuckets) return;
  for (uint bucket = laneIndex; bucket < 1u << kBucketBits; bucket += SLU_WORKGROUP) sharedBuckets[bucket] = 0u;
}

// Neighbouring invocations reserve for neighbouring buckets, whose counters share cache lines.
void reserveCounted(uint view, uint kept, bool isLast) {
  uint ranks[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    ranks[row] = k < kept ? atomicAdd(sharedBuckets[bucketOf(sharedList[k])], 1u) : 0u;
  }
  barrier();
  // Until it holds slots, sharedSlots holds how many records of each bucket fit.
  for (uint bucket = laneIndex; bucket < 1u << kBucketBits; bucket += SLU_WORKGROUP) {
    uint count = sharedBuckets[bucket];
    if (count != 0u) {
      uvec2 place = placeOf(view, bucket);
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

// isLast: as isLastTile returns it; joinRejects has then been called.
void reserveBuckets(uint view, uint kept, bool isLast) {
  if (kCountsBuckets) {
    reserveCounted(view, kept, isLast);
  } else {
    reserveSorted(view, kept, isLast);
  }
}
