// Records of 16, 32, 48 and 64 bytes that decide for themselves, written as records: neighbouring lanes load a record
// between them and store it again from their registers when it is kept. Each record is read once, the rejected ones
// too: memory hands out 64 bytes at a time, so that skipping them would save little and cost a second round trip.

const uint kQuadsPerRecord = kMoves == SLU_MOVES_WIDE ? kRecordWords / 4u : 1u;
const uint kMaxQuads = 4u;  // per invocation
const uint kQuads = kMoves == SLU_MOVES_WIDE ? kRows * kQuadsPerRecord : 1u;

// Of each record of the tile: whether it is live, then its rank or SLU_DROPPED.
shared uint sharedRanks[kMoves == SLU_MOVES_WIDE ? kTile : 1u];

uint quadOf(uint i) { return i * SLU_WORKGROUP + laneIndex; }

// Returns the number of kept records.
uint compactWide(uint view, uint tile, uint inputs) {
  uint tileBase = tile * kTile;
  uint64_t records = pushed.records + 4ul * kRecordWords * tileBase;
  uint present = min(inputs - tileBase, kTile) * kQuadsPerRecord;
  uvec4 quads[kMaxQuads];
  [[unroll]] for (uint i = 0u; i < kQuads; ++i) {
    quads[i] = uvec4(0u);
    if (quadOf(i) < present) quads[i] = loadFour(records + 16ul * quadOf(i));
  }

  barrier();
  [[unroll]] for (uint row = 0u; row < kRows; ++row) sharedRanks[row * SLU_WORKGROUP + laneIndex] = 0u;
  barrier();
  [[unroll]] for (uint i = 0u; i < kQuads; ++i) {
    uint tested = testedWords(quadOf(i) % kQuadsPerRecord * 4u);
    if ((liveWordsOf(quads[i]) & tested) != 0u) atomicOr(sharedRanks[quadOf(i) / kQuadsPerRecord], 1u);
  }
  barrier();
  bool flags[kMaxItems];
  uint ranks[kMaxItems];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) flags[row] = sharedRanks[row * SLU_WORKGROUP + laneIndex] != 0u;
  uint kept = rank(flags, ranks);

  beginReserve(view, tile, kept);
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    sharedRanks[row * SLU_WORKGROUP + laneIndex] = flags[row] ? ranks[row] : SLU_DROPPED;
  }
  uint first = endReserve(view, tile, inputs);
  uint64_t target = pushed.keptRecords + 4ul * kRecordWords * (uint64_t(view) * plan.outputsPerView + first);
  uint fits = fitting(first, kept);
  [[unroll]] for (uint i = 0u; i < kQuads; ++i) {
    uint place = sharedRanks[quadOf(i) / kQuadsPerRecord];
    if (place >= fits) continue;
    storeFour(target + 16ul * (place * kQuadsPerRecord + quadOf(i) % kQuadsPerRecord), quads[i]);
  }
  return kept;
}
