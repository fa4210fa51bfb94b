// Moves records of 4 and 8 bytes (SLU_MOVES_NARROW). They are read once, four words at a time, and stay in registers
// until they are ranked. They are stored in order through shared memory, so that the stores are dense.
//
// If the order is free, the survivors of an invocation are consecutive, whichever rows they come from, and subgroups
// rank theirs in the order in which they arrive. That takes fewer ballots, whose bits are slow to count.

const uint kQuadRows = kMoves == SLU_MOVES_NARROW ? kRows : 1u;
const uint kStagedWords = kQuadRows * SLU_WORKGROUP * 4u;

// The survivors of neighbouring invocations begin several words apart. A word of padding after every 32 words avoids
// bank conflicts.
shared uint sharedWords[kMoves == SLU_MOVES_NARROW ? kStagedWords + kStagedWords / 32u : 1u];

uint padded(uint place) { return place + (place >> 5); }

uint firstWordOf(uint row) { return groupIndex(row) * 4u; }

// Loads a tile, with dead words beyond the input. All loads are issued before the first result is used.
void loadQuads(uint tile, uint inputs, out uvec4 quads[kMaxRows]) {
  const RecordsPlace words = elementAt(RecordsPlace(frame.records), tile * kTile, kRecordWords);
  const uint present = min(inputs - tile * kTile, kTile) * kRecordWords;
  if (kAligned == 0u) {
    [[unroll]] for (uint row = 0u; row < kRows; ++row) {
      [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        uint word = firstWordOf(row) + i;
        quads[row][i] = word < present ? load(words, word) : deadWord();
      }
    }
    return;
  }
  const uint whole = present & ~3u;
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    quads[row] = uvec4(deadWord());
    if (firstWordOf(row) < whole) quads[row] = loadFour(wordAt(words, firstWordOf(row)));
  }
  if (whole == present) return;
  uvec4 last = uvec4(deadWord());
  [[unroll]] for (uint i = 0u; i < 3u; ++i) {
    if (whole + i < present) last[i] = load(words, whole + i);
  }
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    if (firstWordOf(row) == whole) quads[row] = last;
  }
}

// Returns which records of the quad are live: bit j for the j-th.
uint liveRecords(uvec4 quad) {
  uint words = liveWordsOf(quad);
  if (kRecordWords == 1u) return words;
  uint tested = testedWords(0u) & 3u;
  return uint((words & tested) != 0u) | uint((words >> 2 & tested) != 0u) << 1;
}

// Computes the rank of the invocation's first kept record of each row among the kept records of the tile. Returns how
// many the tile keeps. Each row has a flag word of its own: with the flags of 16 records in one word, an H200 lost
// records in stable order, though Mesa's CPU driver did not. In uniform control flow. What was in shared memory before
// is visible to all afterwards.
uint rankQuads(uint live[kMaxRows], out uint ranks[kMaxRows]) {
  const uint kCountBits = kItems >= 16u ? 5u : kItems >= 8u ? 4u : kItems >= 4u ? 3u : 2u;  // of an invocation's count
  uint below;
  uint count;
  uint before;
  uint total = 0u;
  if (laneIndex == 0u) sharedRanked = 0u;
  barrier();
  if (kStable != 0u) {
    [[unroll]] for (uint row = 0u; row < kRows; ++row) {
      ranks[row] = total;
      [[unroll]] for (uint j = 0u; j < kGroup; ++j) {
        ballot((live[row] >> j & 1u) != 0u, below, count);
        ranks[row] += below;
        total += count;
      }
    }
    if (subgroupLeader) sharedCounts[subgroupIndex] = total;
    barrier();
    total = sumOfCounts(before);
  } else {
    uint own = 0u;
    [[unroll]] for (uint row = 0u; row < kRows; ++row) {
      ranks[row] = own;
      own += bitCount(live[row]);
    }
    uint first = 0u;
    [[unroll]] for (uint bit = 0u; bit < kCountBits; ++bit) {
      ballot((own >> bit & 1u) != 0u, below, count);
      first += below << bit;
      total += count << bit;
    }
    if (subgroupLeader) sharedCounts[subgroupIndex] = atomicAdd(sharedRanked, total);
    barrier();
    before = first + sharedCounts[subgroupIndex];
    total = sharedRanked;
  }
  [[unroll]] for (uint row = 0u; row < kRows; ++row) ranks[row] += before;
  return total;
}

// Writes the live records to shared memory. A barrier must follow before they are stored.
void stageQuads(uvec4 quads[kMaxRows], uint live[kMaxRows], uint ranks[kMaxRows]) {
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint place = ranks[row] * kRecordWords;
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
      if ((live[row] >> i / kRecordWords & 1u) != 0u) sharedWords[padded(place++)] = quads[row][i];
    }
  }
}

void storeStaged(uint view, uint kept) {
  KeptRecordsPlace keptRecords = KeptRecordsPlace(frame.keptRecords);
  KeptRecordsPlace target = elementAt(keptRecords, view * plan.outputsPerView + tileFirst, kRecordWords);
  uint wordCount = fitting(kept) * kRecordWords;
  for (uint k = laneIndex; k < wordCount; k += SLU_WORKGROUP) store(target, k, sharedWords[padded(k)]);
}
