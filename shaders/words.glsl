// Records of 4 bytes that decide for themselves, written as records: they are read once, four at a time, stay in registers
// until they are ranked, and leave through shared memory in order.

const uint kWordRows = 2u;

shared uint sharedWords[kMovesWords != 0u ? kTile : 1u];

// Those beyond the input are 0, which no test takes for live. All loads come before the first use.
void loadWords(uint tileBase, uint inputs, out uvec4 rows[kWordRows]) {
  uint64_t words = wordAt(frame.records, tileBase);
  if (frame.wideLive != 0u && inputs - tileBase >= kTile) {
    for (uint row = 0u; row < kWordRows; ++row) rows[row] = Words4(words + 16ul * (row * SLU_WORKGROUP + laneIndex)).v;
    return;
  }
  for (uint row = 0u; row < kWordRows; ++row) {
    rows[row] = uvec4(0u);
    uint first = (row * SLU_WORKGROUP + laneIndex) * 4u;
    for (uint i = 0u; i < 4u; ++i) {
      if (tileBase + first + i < inputs) rows[row][i] = load(words, first + i);
    }
  }
}

void compactWords(uint view, uint chunk, uint tileBase, uint inputs) {
  uvec4 rows[kWordRows];
  loadWords(tileBase, inputs, rows);
  bool kept[kMaxItems];
  uint ranks[kMaxItems];
  for (uint item = 0u; item < kItems; ++item) {
    kept[item] = wordIsLive(rows[item / 4u][item % 4u]);
    uint index = tileBase + (item / 4u * SLU_WORKGROUP + laneIndex) * 4u + item % 4u;
    if (kCountsRejects && !kept[item] && index < inputs) ++rejects[SLU_REJECTS_NOT_LIVE];
  }
  uint total = rank(kept, ranks);
  for (uint item = 0u; item < kItems; ++item) {
    if (kept[item]) sharedWords[ranks[item]] = rows[item / 4u][item % 4u];
  }
  reserveTile(view, chunk, total);
  uint first = sharedSlots[0];
  uint capacity = loadBucket(0u).capacity;
  uint fitting = first < capacity ? min(total, capacity - first) : 0u;
  uint64_t target = frame.keptRecords + 4ul * (uint64_t(view) * frame.outputsPerView + first);
  for (uint k = laneIndex; k < fitting; k += SLU_WORKGROUP) store(target, k, sharedWords[k]);
}
