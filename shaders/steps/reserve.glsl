// Step 3, reserve: one atomic per tile and bucket. Order is only a choice of where a tile's range begins. Unordered tiles
// take it from one counter per bucket; stable ones, into several buckets, from their chunk's, which the scan set to the
// records kept before the chunk, and which a single workgroup advances tile after tile. Those into one bucket look back
// (lookback.glsl), or wait for their prefix (tickets.glsl).

const bool kChunked = kStable != 0u;
// One bucket, no chunks, and nothing counted but the kept records: each tile arrives by itself.
const bool kArrivesByTile = uint(kChunked) + kBucketBits + uint(kCountsRejects) == 0u;

ScratchPlace counterOf(uint view, uint bucket, uint chunk) {
  uint segment = view * plan.bucketCount + bucket;
  if (kChunked) return wordAt(elementAt(ScratchPlace(plan.chunkCounts), segment, frame.chunkCount), chunk);
  return wordAt(ScratchPlace(plan.demanded), segment);
}

uint reserve(uint view, uint bucket, uint chunk, uint count) {
  return addAt(counterOf(view, bucket, chunk), count);
}

// ---- Of a single bucket ----

uint reserved;  // the tile's first slot; of invocation 0
#ifdef SLU_ATOMIC_INT64
uint64_t progress;  // the view's before the tile, where tiles arrive; of invocation 0
#endif

// Work that needs no place yet fits between the two. In uniform control flow.
void beginReserve(uint kept) {
  if (laneIndex != 0u) return;
#ifdef SLU_ATOMIC_INT64
  if (kArrivesByTile) {
    progress = addLongAt(progressOf(gl_WorkGroupID.y), (1ul << kKeptBits) + kept);
    reserved = uint(progress);
    return;
  }
#endif
  if (kept != 0u) reserved = reserve(gl_WorkGroupID.y, 0u, 0u, kept);
}

// The tile's first slot in the view's output. What was in shared memory before is visible to all afterwards.
uint endReserve() {
  if (laneIndex == 0u) sharedSlots[0] = reserved;
#ifndef SLU_ATOMIC_INT64
  groupMemoryBarrier();  // who tells that the tile has arrived may be another invocation
#endif
  barrier();
  return sharedSlots[0];
}
