// Stable order, one bucket, more records than look back: what the first dispatch tells the second of each tile. A bit per
// record, so that no predicate is evaluated twice and kept records alone are read again; and how many records the tile's
// chunk keeps before it.

const uint kMarkWords = SLU_MARK_WORDS(kTile);

// Of an invocation: the word that holds its bits, one per item, and the place of the first of them.
uint markWord() { return laneIndex % kMarkWords; }
uint markShift() { return laneIndex / kMarkWords * kItems; }

// Of a tile: the records before it, then its marks. Those of a frame follow its chunks' counts.
uint64_t markedTile(uint view, uint tile) {
  uint tileCount = (pushed.recordCount + kTile - 1u) / kTile;
  return plan.chunks + 4ul * (bound.viewCount * pushed.chunkCount) +
         4ul * (1u + kMarkWords) * (uint64_t(view) * tileCount + tile);
}
uint64_t markAt(uint64_t tile, uint word) { return wordAt(tile, 1u + word); }
