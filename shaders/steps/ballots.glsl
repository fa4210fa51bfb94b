// Makes the ballots of tiles that are counted before they are emitted: a bit per record and view that says whether the
// view keeps the record.

#ifdef SLU_ALL_VIEWS
const uint kBallotViews = SLU_FRAME_VIEWS;
#else
const uint kBallotViews = 1u;
#endif

// Per invocation and view, which of its items are kept: a bit per item. Several views share a word. There is room for
// two tiles, since the flags of the previous one may still be read. A word of padding after every 32 words avoids bank
// conflicts.
const uint kViewsPerWord = 32u / kItems;
const uint kWordsOfViews = (kBallotViews + kViewsPerWord - 1u) / kViewsPerWord;
const uint kFlagWords = SLU_WORKGROUP + SLU_WORKGROUP / 32u;
shared uint sharedFlags[2u * kWordsOfViews * kFlagWords];

// No subgroup operation is needed, so the whole workgroup counts as one subgroup.
void initInvocations() {
  laneIndex = gl_LocalInvocationIndex;
  subgroupFirst = 0u;
  subgroupLanes = SLU_WORKGROUP;
}

// Returns where the flags of views begin. turn: the number of the tile in its chunk. word: which views.
uint flagsAt(uint turn, uint word) { return ((turn & 1u) * kWordsOfViews + word) * kFlagWords; }

// Shares the flags of the invocation's items: kItems bits for each of kViewsPerWord views. A barrier makes them visible.
void shareFlags(uint turn, uint word, uint flags) {
  sharedFlags[flagsAt(turn, word) + laneIndex + laneIndex / 32u] = flags;
}

// Returns a word of the tile's ballot. Its bits say which of 32 consecutive records the view keeps.
uint ballotWord(uint turn, uint view, uint word) {
  const uint kGroups = 32u / kGroup;
  uint flags = flagsAt(turn, view / kViewsPerWord);
  uint shift = view % kViewsPerWord * kItems;
  uint ballot = 0u;
  [[unroll]] for (uint i = 0u; i < kGroups; ++i) {
    uint group = word * kGroups + i;
    uint lane = group % SLU_WORKGROUP;
    uint row = group / SLU_WORKGROUP;
    ballot |= (sharedFlags[flags + lane + lane / 32u] >> shift + row * kGroup & (1u << kGroup) - 1u) << i * kGroup;
  }
  return ballot;
}
