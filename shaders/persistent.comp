#version 460
// Compacts a whole frame of many records in stable order into one bucket. Workgroups take tiles by ticket. While a tile
// waits for its prefix, the next one is ranked. x: workgroup, y: view.
//  - Narrow records are read once. The kept words of the waiting tile lie in shared memory, those of the next tile in
//    registers.
//  - Other records that are kept are listed, and read again. If a test of one word decides, that word is loaded ahead,
//    for the tile after the next.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/evaluate.glsl"
#include "steps/rank.glsl"
#include "movers/list.glsl"
#include "steps/tickets.glsl"
#include "steps/emit.glsl"
#include "steps/publish.glsl"
#include "movers/narrow.glsl"

const bool kIsNarrow = kMoves == SLU_MOVES_NARROW;

// Returns whether a test of one word decides. That word is loaded ahead.
bool testsWord() {
  return !kIsNarrow && kFlagTest == SLU_LIVE_ALWAYS && sluTestsRecord(kLiveTest) &&
         kKeyed + kCullFlags + kLodCount + kRejectReasons == 1u && plan.liveWords <= 1u;
}

void loadWords(uint tile, uint inputs, out uint words[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    uint index = min(tile * kTile + localIndex(item), inputs - 1u);
    words[item] = inputs != 0u ? load(recordAt(index), plan.liveOffset) : 0u;
  }
}

// Returns which items are kept, a bit each, from the words that loadWords has loaded.
uint testWords(uint tile, uint inputs, uint words[kMaxItems]) {
  uint flags = 0u;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    flags |= uint(tile * kTile + localIndex(item) < inputs && wordIsLive(words[item])) << item;
  }
  return flags;
}

// Returns which items all tests of the plan keep, a bit each.
uint testTile(uint view, uint tile, uint inputs, out uint buckets[kMaxItems]) {
  evaluateTile(view, tile * kTile, inputs, buckets);
  uint flags = 0u;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) flags |= uint(buckets[item] != SLU_DROPPED) << item;
  return flags;
}

// Counts a tile whose count another workgroup has not published in time, and publishes the count. The other workgroup
// counts its rejects.
void countMissing(uint view, uint tile, uint inputs) {
  uint kept = 0u;
  if (kIsNarrow) {
    for (uint i = laneIndex; i < min(inputs - tile * kTile, kTile); i += SLU_WORKGROUP) {
      kept += liveMask(tile * kTile + i, 1u) & 1u;
    }
  } else {
    uint rejected[SLU_REJECT_COUNT] = rejects;
    uint buckets[kMaxItems];
    kept = bitCount(testTile(view, tile, inputs, buckets));
    rejects = rejected;
  }
  tellMissing(tile, kept);
}

// Returns how many records the tiles before this one keep. known: the status of the tile's prefix when it was last
// polled, or 0. In uniform control flow.
uint keptBefore(uint view, uint tile, uint inputs, uint known) {
  if (tile == 0u) return 0u;
  uint status = awaitPrefix(tile, known);
  if (status != 0u) return status - 1u;
  uint before;
  uint missing;
  [[dont_unroll]] while (!addUpCounts(tile, before, missing)) countMissing(view, missing, inputs);
  return before;
}

// buckets: of merged plans.
void listKept(uint list, uint flags, uvec4 ranks, uint buckets[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    uint bucket = kEmitsCommands ? buckets[item] : 0u;
    if ((flags >> item & 1u) != 0u) {
      sharedList[list * kTile + rankOf(item, flags, ranks)] = bucket << SLU_LOCAL_BITS | localIndex(item);
    }
  }
}

// Invocation 0 calls this when it knows how many records the tile and those before it keep. Publishes the prefix of the
// next tile or, after the last one, the view.
void tellNext(uint view, uint tile, uint tileCount, uint inputs, uint kept) {
  if (tile + 1u != tileCount) {
    tell(prefixOf(tile + 1u), kept);  // in case the workgroup that scans has stopped
  } else if (kCountsRejects) {        // all tiles are counted, but not yet all rejects
    exchangeAt(wordAt(ScratchPlace(plan.demanded), view), kept);
  } else {
    publishSingle(view, inputs, kept);
  }
}

void compactTiles(uint view, uint inputs, uint tileCount) {
  uint tile = tileCount;  // the tile that waits for its prefix; none yet
  uint kept = 0u;
  uint list = 0u;
  uint next = sharedNext;
  uint taken = 0u;
  uvec4 quads[kMaxRows];  // of the next tile, as are the three arrays below
  uint live[kMaxRows];
  uint quadRanks[kMaxRows];
  uint words[kMaxItems];
  if (next < tileCount) {
    if (kIsNarrow) loadQuads(next, inputs, quads);
    if (testsWord()) loadWords(next, inputs, words);
    if (laneIndex == 0u) draw();
  }
  [[dont_unroll]] while (tile < tileCount || next < tileCount) {
    uint afterNext = tileCount;
    uint keptNext = 0u;
    uint known = 0u;
    if (next < tileCount) {
      uint flags = 0u;
      uvec4 ranks;
      uint buckets[kMaxItems];
      if (kIsNarrow) {
        [[unroll]] for (uint row = 0u; row < kRows; ++row) live[row] = liveRecords(quads[row]);
      } else {
        [[unroll]] for (uint item = 0u; item < kItems; ++item) buckets[item] = 0u;
        flags = testsWord() ? testWords(next, inputs, words) : testTile(view, next, inputs, buckets);
      }
      uint early = 0u;
      if (laneIndex == 0u && tile != 0u && tile < tileCount) early = ask(prefixOf(tile));
      keptNext = kIsNarrow ? rankQuads(live, quadRanks) : rankInOrder(flags, ranks);
      if (laneIndex == 0u) {
        tell(next, keptNext);
        sharedStatus = early;
        ++taken;
        sharedNext = taken < SLU_MOST_TILES ? drawnTile(tileCount) : tileCount;
        if (sharedNext < tileCount && taken + 1u < SLU_MOST_TILES) draw();
      }
      if (!kIsNarrow) listKept(1u - list, flags, ranks, buckets);
      barrier();
      afterNext = sharedNext;
      known = sharedStatus;
      if (testsWord() && afterNext < tileCount) loadWords(afterNext, inputs, words);
    }
    if (tile < tileCount) {
      tileFirst = keptBefore(view, tile, inputs, known);
      if (laneIndex == 0u) tellNext(view, tile, tileCount, inputs, tileFirst + kept);
      if (kEmitsCommands && !kCountsRejects && tile + 1u == tileCount) clearRest(view, tileFirst + kept);
      if (kIsNarrow) {
        storeStaged(view, kept);
      } else {
        emitTile(view, list * kTile, tile * kTile, kept);
      }
    }
    if (kIsNarrow && next < tileCount) {
      barrier();
      stageQuads(quads, live, quadRanks);
      if (afterNext < tileCount) loadQuads(afterNext, inputs, quads);
      barrier();
    }
    tile = next;
    kept = keptNext;
    list = 1u - list;
    next = afterNext;
  }
}

void main() {
  initSubgroups();
  clearRejects();
  patience = kPatience;
  foundNext = laneIndex;
  foundSum = 0u;
  uint view = SLU_OWN_VIEW;
  uint inputs = inputCount();
  uint tileCount = tileCountOf(inputs);
  if (laneIndex == 0u) {
    draw();
    sharedSet = ticket >> 31;
    sharedNext = scans() ? SLU_DROPPED : drawnTile(tileCount);
  }
  barrier();
  if (sharedNext == SLU_DROPPED) {
    scanCounts(tileCount);
  } else {
    compactTiles(view, inputs, tileCount);
  }
  leaveFrame();
  if (!kCountsRejects) return;
  addRejects(view);
  if (arrivesLast(view)) publishCounted(view, inputs);
}
