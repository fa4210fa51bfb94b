// The list of a tile's kept records.

// An entry is bucket << SLU_LOCAL_BITS | index within the tile. In stable order the entries are in record order. Moved
// records need no list. persistent.comp has two, for the tile that waits and for the next one.
shared uint sharedList[kMoves == SLU_MOVES_NONE ? kLists * kTile : 1u];
// With several buckets: the output slot of each entry within the view. With one bucket: only element 0, by which
// endReserve shares the first slot of the tile.
shared uint sharedSlots[kBucketed && kMoves == SLU_MOVES_NONE ? kTile : 1u];

uint tileFirst;  // with one bucket: the tile's first slot within the view

// In an entry: the record is kept, but its bucket is not known any more.
const uint kNoBucket = (1u << 32 - SLU_LOCAL_BITS) - 1u;

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

// With one bucket: returns how many of the tile's `kept` records fit into it.
uint fitting(uint kept) {
  uint capacity = firstBucket.capacity;
  return tileFirst < capacity ? min(kept, capacity - tileFirst) : 0u;
}

// Returns the output slot of list entry k within the view, or SLU_DROPPED if it does not fit into one of several
// buckets.
uint slotOf(uint k) { return kBucketed ? sharedSlots[k] : tileFirst + k; }
