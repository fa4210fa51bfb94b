// Compacts a tile of narrow records in kernels that reserve by beginReserve and endReserve. Returns the number of kept
// records.
uint compactNarrow(uint view, uint tile, uint inputs) {
  uvec4 quads[kMaxRows];
  loadQuads(tile, inputs, quads);
  uint live[kMaxRows];
  uint ranks[kMaxRows];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) live[row] = liveRecords(quads[row]);
  uint kept = rankQuads(live, ranks);

  beginReserve(kept);
  stageQuads(quads, live, ranks);
  tileFirst = endReserve();
  storeStaged(view, kept);
  return kept;
}
