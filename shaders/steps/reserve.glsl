// Step 3, reserve, in any order: a tile takes its range of the output from a counter, with one atomic per bucket. In
// stable order a scan finds the range (emit.comp), or with one bucket a look-back (lookback.glsl) or a prefix
// (tickets.glsl).

// Whether each tile arrives by itself. It does with one bucket, if nothing but the kept records is counted. Otherwise
// each workgroup arrives after its last tile. So it does in merged plans, where a whole workgroup publishes.
#ifdef SLU_SEVERAL_DISPATCHES
const bool kArrivesByTile = false;  // another dispatch publishes
#else
const bool kArrivesByTile = kBucketBits + uint(kCountsRejects) + kMerged == 0u;
#endif

uint reserve(uint view, uint bucket, uint count) {
  return addAt(wordAt(ScratchPlace(plan.demanded), view * plan.bucketCount + bucket), count);
}

// ---- Of a single bucket ----

uint reserved;  // of invocation 0: the tile's first slot
#ifdef SLU_ATOMIC_INT64
uint64_t progress;  // of invocation 0: the view's word before the tile arrived
#endif

// Work that does not need the place of the tile fits between beginReserve and endReserve. In uniform control flow.
void beginReserve(uint kept) {
  if (laneIndex != 0u) return;
#ifdef SLU_ATOMIC_INT64
  if (kArrivesByTile) {
    progress = addLongAt(progressOf(SLU_OWN_VIEW), (1ul << kKeptBits) + kept);
    reserved = uint(progress);
    return;
  }
#endif
  if (kept != 0u) reserved = reserve(SLU_OWN_VIEW, 0u, kept);
}

// Returns the tile's first slot in the view's output. What was in shared memory before is visible to all afterwards.
uint endReserve() {
  if (laneIndex == 0u) sharedSlots[0] = reserved;
#if !defined(SLU_ATOMIC_INT64) && !defined(SLU_SEVERAL_DISPATCHES)
  groupMemoryBarrier();  // another invocation may arrive for the tile
#endif
  barrier();
  return sharedSlots[0];
}
