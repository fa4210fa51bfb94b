// Step 3, reserve: the tile's range in each bucket's output, one atomic per tile and bucket. Order is only a choice of
// counter: unordered tiles share one per bucket; stable ones take from their chunk's, which the scan set to the records
// kept before the chunk, and which a single workgroup advances tile after tile: of one bucket in registers.

// Kept records of the tile: bucket << SLU_LOCAL_BITS | index in the tile. Records that are moved need no list.
shared uint sharedList[kMoves == SLU_MOVES_NONE ? kTile : 1u];
shared uint sharedSlots[kBucketed ? kTile : 1u];  // their output slots within the view; without buckets the tile's first

uint64_t counterOf(uint view, uint bucket, uint chunk) {
  uint segment = view * plan.bucketCount + bucket;
  if (kStable != 0u) return plan.chunks + 4ul * (uint64_t(segment) * pushed.chunkCount + chunk);
  return wordAt(plan.demanded, segment);
}

uint reserve(uint view, uint bucket, uint chunk, uint count) {
  return atomicAdd(Words1(counterOf(view, bucket, chunk)).v, count);
}

// ---- Of a single bucket ----

uint chunkKept;     // stable: records kept before the tile; the same in all invocations
uint reserved;      // unordered: the tile's first slot; of invocation 0
uint64_t progress;  // the view's before the tile; of invocation 0, with 64-bit atomics where tiles arrive

void beginChunk(uint view, uint chunk) {
  if (!kBucketed) chunkKept = load(counterOf(view, 0u, chunk));
}

// Work that needs no place yet fits between the two. In uniform control flow.
void beginReserve(uint view, uint kept) {
  if (kStable != 0u || laneIndex != 0u) return;
#ifdef SLU_ATOMIC_INT64
  if (kArrivesByTile) {
    progress = atomicAdd(Progress(progressOf(view)).v, (1ul << kKeptBits) + kept);
    reserved = uint(progress);
    return;
  }
#endif
  if (kept != 0u) reserved = reserve(view, 0u, 0u, kept);
}

// The tile's first slot in the view's output. What was in shared memory before is visible to all afterwards.
uint endReserve(uint kept) {
  if (kStable == 0u) {
    if (laneIndex == 0u) sharedSlots[0] = reserved;
#ifndef SLU_ATOMIC_INT64
    groupMemoryBarrier();  // who tells that the tile has arrived may be another invocation
#endif
    barrier();
    return sharedSlots[0];
  }
  barrier();
  uint first = chunkKept;
  chunkKept += kept;
  return first;
}

// How many of the tile's records fit.
uint fitting(uint first, uint kept) {
  uint capacity = firstBucket.capacity;
  return first < capacity ? min(kept, capacity - first) : 0u;
}

// ---- Of any number ----

uint tileFirst;  // of a single bucket

uint bucketOf(uint entry) { return entry >> SLU_LOCAL_BITS; }
uint localOf(uint entry) { return entry & ((1u << SLU_LOCAL_BITS) - 1u); }

// Lists the kept records of the tile in record order. Returns their number.
uint listTile(uint buckets[kMaxItems]) {
  bool kept[kMaxItems];
  uint ranks[kMaxItems];
  for (uint item = 0u; item < kItems; ++item) kept[item] = buckets[item] != SLU_DROPPED;
  uint total = rank(kept, ranks);
  for (uint item = 0u; item < kItems; ++item) {
    if (kept[item]) sharedList[ranks[item]] = buckets[item] << SLU_LOCAL_BITS | localIndex(item);
  }
  barrier();
  return total;
}

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

void reserveTile(uint view, uint chunk, uint kept) {
  if (kCountsBuckets) {
    reserveCounted(view, kept);
  } else if (kBucketed) {
    reserveSorted(view, chunk, kept);
  } else {
    beginReserve(view, kept);
    tileFirst = endReserve(kept);
  }
}

// Output slot of list entry k within the view, or SLU_DROPPED where the capacity ends. capacity: of a single bucket.
uint slotOf(uint k, uint capacity) {
  if (kBucketed) return sharedSlots[k];
  uint outputRank = tileFirst + k;
  return outputRank < capacity ? outputRank : SLU_DROPPED;
}
