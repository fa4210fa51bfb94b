// Step 3, reserve: the tile's range in each bucket's output, one atomic per tile and bucket. Order is only a choice of
// where the range begins. Unordered tiles take it from one counter per bucket. Stable ones take from their chunk's,
// which the scan set to the records kept before the chunk, and which a single workgroup advances tile after tile: of one
// bucket in registers. Where tiles look back (lookback.glsl), they count as unordered ones do.

// Kept records of the tile: bucket << SLU_LOCAL_BITS | index in the tile. Records that are moved need no list.
shared uint sharedList[kMoves == SLU_MOVES_NONE ? kTile : 1u];
// Their output slots within the view; without buckets the tile's first.
shared uint sharedSlots[kBucketed && kMoves == SLU_MOVES_NONE ? kTile : 1u];

uint64_t counterOf(uint view, uint bucket, uint chunk) {
  uint segment = view * plan.bucketCount + bucket;
  if (kChunked) return plan.chunks + 4ul * (uint64_t(segment) * pushed.chunkCount + chunk);
  return wordAt(plan.demanded, segment);
}

uint reserve(uint view, uint bucket, uint chunk, uint count) {
  return atomicAdd(Words1(counterOf(view, bucket, chunk)).v, count);
}

// ---- Of a single bucket ----

uint tileFirst;     // the tile's first slot, where it is listed
uint chunkKept;     // chunks: records kept before the tile; the same in all invocations
uint reserved;      // unordered: the tile's first slot; of invocation 0, where nothing is looked back at
uint64_t progress;  // the view's before the tile; of invocation 0, with 64-bit atomics where tiles arrive

void beginChunk(uint view, uint chunk) {
  if (!kBucketed) chunkKept = load(counterOf(view, 0u, chunk));
}

// Work that needs no place yet fits between the two. In uniform control flow.
void beginReserve(uint view, uint tile, uint kept) {
  if (kChunked || laneIndex != 0u) return;
#ifdef SLU_LOOKS_BACK
  publishCount(view, tile, kept);
#endif
#ifdef SLU_ATOMIC_INT64
  if (kArrivesByTile) {
    progress = atomicAdd(Progress(progressOf(view)).v, (1ul << kKeptBits) + kept);
    reserved = uint(progress);
    return;
  }
#endif
  if (kept != 0u) reserved = reserve(view, 0u, 0u, kept);
#ifdef SLU_LOOKS_BACK
  memoryBarrierBuffer();  // the tile has reserved before another invocation tells that it has arrived
#endif
}

// The tile's first slot in the view's output. What was in shared memory before is visible to all afterwards.
uint endReserve(uint view, uint tile, uint inputs, uint kept) {
#ifdef SLU_LOOKS_BACK
  return keptBefore(view, tile, inputs);
#else
  if (!kChunked) {
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
#endif
}

// How many of the tile's records fit.
uint fitting(uint first, uint kept) {
  uint capacity = firstBucket.capacity;
  return first < capacity ? min(kept, capacity - first) : 0u;
}

// ---- Of any number ----

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

// Output slot of list entry k within the view, or SLU_DROPPED where the capacity ends. capacity: of a single bucket.
uint slotOf(uint k, uint capacity) {
  if (kBucketed) return sharedSlots[k];
  uint outputRank = tileFirst + k;
  return outputRank < capacity ? outputRank : SLU_DROPPED;
}
