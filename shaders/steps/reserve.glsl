// Step 3, reserve: one atomic per tile and bucket. Order is only a choice of where a tile's range begins. Unordered tiles
// take it from one counter per bucket. Stable ones begin where a scan says (emit.comp), or into one bucket look back
// (lookback.glsl) or wait for their prefix (tickets.glsl).

// One bucket, and nothing counted but the kept records: each tile arrives by itself.
#ifdef SLU_SEVERAL_DISPATCHES
const bool kArrivesByTile = false;  // a dispatch of its own publishes
#else
const bool kArrivesByTile = kBucketBits + uint(kCountsRejects) == 0u;
#endif

uint reserve(uint view, uint bucket, uint count) {
  return addAt(wordAt(ScratchPlace(plan.demanded), view * plan.bucketCount + bucket), count);
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
  if (kept != 0u) reserved = reserve(gl_WorkGroupID.y, 0u, kept);
}

// The tile's first slot in the view's output. What was in shared memory before is visible to all afterwards.
uint endReserve() {
  if (laneIndex == 0u) sharedSlots[0] = reserved;
#if !defined(SLU_ATOMIC_INT64) && !defined(SLU_SEVERAL_DISPATCHES)
  groupMemoryBarrier();  // who tells that the tile has arrived may be another invocation
#endif
  barrier();
  return sharedSlots[0];
}
