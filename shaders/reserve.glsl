// Step 3, reserve: the tile's range in each bucket's output, one atomic per tile and bucket. Order is only a choice of
// counter: unordered tiles share one per bucket; stable ones take from their chunk's, which the scan set to the records
// kept before the chunk, and which a single workgroup advances tile after tile.

// Kept records of the tile: bucket << SLU_LOCAL_BITS | index in the tile. Words that are moved need no list.
shared uint sharedList[kMovesWords != 0u ? 1u : kTile];
shared uint sharedSlots[kBucketed ? kTile : 1u];    // their output slots within the view; without buckets the first rank

uint64_t counterOf(uint view, uint bucket, uint chunk) {
  uint segment = view * frame.bucketCount + bucket;
  if (kStable != 0u) return frame.chunks + 4ul * (uint64_t(segment) * frame.chunkCount + chunk);
  return wordAt(frame.demanded, segment);
}

uint reserve(uint view, uint bucket, uint chunk, uint count) {
  return atomicAdd(Words1(counterOf(view, bucket, chunk)).v, count);
}

uint bucketOf(uint entry) { return entry >> SLU_LOCAL_BITS; }
uint localOf(uint entry) { return entry & ((1u << SLU_LOCAL_BITS) - 1u); }

// Lists the kept records of the tile in record order. Returns their number.
uint listTile(uint buckets[kMaxItems]) {
  bool kept[kMaxItems];
  uint ranks[kMaxItems];
  for (uint item = 0u; item < kItems; ++item) kept[item] = buckets[item] != SLU_DROPPED;
  uint total = rank(kept, ranks);
  for (uint item = 0u; item < kItems; ++item) {
    uint local = (item / kGroup * SLU_WORKGROUP + laneIndex) * kGroup + item % kGroup;
    if (kept[item]) sharedList[ranks[item]] = buckets[item] << SLU_LOCAL_BITS | local;
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

void reserveBuckets(uint view, uint chunk, uint kept) {
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
    uint outputRank = sharedSlots[first] + k - first;
    BucketBlock block = loadBucket(bucket);
    slots[row] = outputRank < block.capacity ? block.firstOutput + outputRank : SLU_DROPPED;
  }
  barrier();
  for (uint row = 0u; row < kRows; ++row) {
    uint k = row * SLU_WORKGROUP + laneIndex;
    if (k < kept) sharedSlots[k] = slots[row];
  }
  barrier();
}

void reserveTile(uint view, uint chunk, uint kept) {
  if (kBucketed) {
    sortListByBucket(kept);
    reserveBuckets(view, chunk, kept);
  } else {
    if (laneIndex == 0u && kept > 0u) sharedSlots[0] = reserve(view, 0u, chunk, kept);
    barrier();
  }
}

// Output slot of list entry k within the view, or SLU_DROPPED where the capacity ends. capacity: of a single bucket.
uint slotOf(uint k, uint capacity) {
  if (kBucketed) return sharedSlots[k];
  uint outputRank = sharedSlots[0] + k;
  return outputRank < capacity ? outputRank : SLU_DROPPED;
}
