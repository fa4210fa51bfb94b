// Step 3, reserve, several buckets: from the list of the tile's kept records.

// Sorts the list by bucket, stably: a split by each bit of the bucket, lowest first (Blelloch 1990), of as many bits as
// there are. Bucketed pipelines have groups of one, so item `row` of the invocation is list entry row * 256 + lane.
void sortListByBucket(uint kept) {
  [[dont_unroll]] for (uint bit = 0u; bit < kBucketBits; ++bit) {
    uint entries[kMaxItems];
    bool zeros[kMaxItems];
    uint ranks[kMaxItems];
    for (uint row = 0u; row < kRows; ++row) {
      uint k = row * SLU_WORKGROUP + laneIndex;
      entries[row] = k < kept ? sharedList[k] : 0u;
      zeros[row] = k < kept && (bucketOf(entries[row]) >> bit & 1u) == 0u;
    }
    uint zeroCount = rank(zeros, ranks);
    for (uint row = 0u; row < kRows; ++row) {
      uint k = row * SLU_WORKGROUP + laneIndex;
      if (k < kept) sharedList[zeros[row] ? ranks[row] : zeroCount + k - ranks[row]] = entries[row];
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
  BucketBlock block = loadBucket(bucket);
  return uvec2(block.capacity, block.firstOutput);
}

uint slotIn(uvec2 place, uint outputRank) { return outputRank < place.x ? place.y + outputRank : SLU_DROPPED; }

// Stable order, or more buckets than are counted: from the list sorted by bucket.
void reserveSorted(uint view, uint chunk, uint kept) {
  sortListByBucket(kept);
  uint slots[kMaxItems];
  for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k >= kept) continue;
    uint bucket = bucketOf(sharedList[k]);
    if (k + 1u == kept || bucketOf(sharedList[k + 1u]) != bucket) {  // the last of its bucket reserves for all of it
      uint first = firstOfBucket(bucket, kept);
      sharedSlots[first] = reserve(view, bucket, chunk, k + 1u - first);
    }
  }
  barrier();
  for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k >= kept) continue;
    uint bucket = bucketOf(sharedList[k]);
    uint first = firstOfBucket(bucket, kept);
    slots[row] = slotIn(placeOf(bucket), sharedSlots[first] + k - first);
  }
  barrier();
  for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept) sharedSlots[k] = slots[row];
  }
  barrier();
}

// Unordered: a record's rank in its bucket is how many came before it at a counter in shared memory, and who came first
// reserves for all of them. The list may stay in any order.
const bool kCountsBuckets = kBucketed && kStable == 0u && kBucketBits <= SLU_COUNTED_BITS;
// Zero between tiles. Of a bucket: its kept records, then its first output rank.
shared uint sharedBuckets[kCountsBuckets ? 1u << kBucketBits : 1u];

void beginCounting() {
  if (!kCountsBuckets) return;
  for (uint bucket = laneIndex; bucket < 1u << kBucketBits; bucket += SLU_WORKGROUP) sharedBuckets[bucket] = 0u;
}

void reserveCounted(uint view, uint kept) {
  uint ranks[kMaxItems];
  uvec2 places[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept) ranks[row] = atomicAdd(sharedBuckets[bucketOf(sharedList[k])], 1u);
  }
  barrier();
  uint firsts[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {  // all requests to memory, before the first answer is used
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k >= kept) continue;
    uint bucket = bucketOf(sharedList[k]);
    places[row] = placeOf(bucket);
    if (ranks[row] == 0u) firsts[row] = reserve(view, bucket, 0u, sharedBuckets[bucket]);
  }
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept && ranks[row] == 0u) sharedBuckets[bucketOf(sharedList[k])] = firsts[row];
  }
  barrier();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept) sharedSlots[k] = slotIn(places[row], sharedBuckets[bucketOf(sharedList[k])] + ranks[row]);
  }
  barrier();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept && ranks[row] == 0u) sharedBuckets[bucketOf(sharedList[k])] = 0u;
  }
}

void reserveBuckets(uint view, uint chunk, uint kept) {
  if (kCountsBuckets) {
    reserveCounted(view, kept);
  } else {
    reserveSorted(view, chunk, kept);
  }
}
