// The kept records of a tile, between rank and emit.

// Bucket << SLU_LOCAL_BITS | index in the tile, in stable order: in record order. Records that are moved need no list;
// a kernel whose tiles wait has two.
shared uint sharedList[kMoves == SLU_MOVES_NONE ? kLists * kTile : 1u];
// Their output slots within the view; without buckets the tile's first.
shared uint sharedSlots[kBucketed && kMoves == SLU_MOVES_NONE ? kTile : 1u];

uint tileFirst;  // of a single bucket: the tile's first slot

uint bucketOf(uint entry) { return entry >> SLU_LOCAL_BITS; }
uint localOf(uint entry) { return entry & ((1u << SLU_LOCAL_BITS) - 1u); }

// Lists the kept records of the tile. Returns their number.
uint listTile(uint buckets[kMaxItems]) {
  uint kept = 0u;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) kept |= uint(buckets[item] != SLU_DROPPED) << item;
  uvec4 ranks;
  uint total = rank(kept, ranks);
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    if ((kept >> item & 1u) != 0u) {
      sharedList[rankOf(item, kept, ranks)] = buckets[item] << SLU_LOCAL_BITS | localIndex(item);
    }
  }
  barrier();
  return total;
}

// How many of the tile's records fit into a single bucket.
uint fitting(uint kept) {
  uint capacity = firstBucket.capacity;
  return tileFirst < capacity ? min(kept, capacity - tileFirst) : 0u;
}

// Output slot of list entry k within the view, or of several buckets SLU_DROPPED where the capacity ends.
uint slotOf(uint k) { return kBucketed ? sharedSlots[k] : tileFirst + k; }
