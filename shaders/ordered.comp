#version 460
// Compacts a whole frame in stable order into one bucket, a workgroup per tile. Plans of more tiles use
// persistent.comp. x: tile, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/evaluate.glsl"
#include "steps/rank.glsl"
#include "movers/list.glsl"
#include "steps/lookback.glsl"
#include "steps/emit.glsl"
#include "steps/publish.glsl"
#include "movers/narrow.glsl"
#include "movers/compact_narrow.glsl"
#include "movers/wide.glsl"

// Tests a tile, lists its kept records, and copies them. Before the place of the tile is known, the workgroup may have
// to count other tiles.
uint compactListed(uint view, uint tile, uint inputs) {
  uint kept;
  uint tested = tile;
  uint patience = kPatience;
  [[dont_unroll]] for (;;) {
    uint buckets[kMaxItems];
    uint rejected[SLU_REJECT_COUNT] = rejects;
    evaluateTile(view, tested * kTile, inputs, buckets);
    if (tested == tile) {
      kept = listTile(buckets);
      beginReserve(kept);
    } else {
      rejects = rejected;
      patience = 1u;
      uint own = 0u;
      [[unroll]] for (uint item = 0u; item < kItems; ++item) own += uint(buckets[item] != SLU_DROPPED);
      publishMissing(tested, own);
    }
    if (lookBack(patience, tileFirst, tested)) break;
  }
  emitTile(view, 0u, tile * kTile, kept);
  return kept;
}

uint compactTile(uint view, uint tile, uint inputs) {
  if (kMoves == SLU_MOVES_NARROW) return compactNarrow(view, tile, inputs);
  if (kMoves == SLU_MOVES_WIDE) return compactWide(view, tile, inputs);
  return compactListed(view, tile, inputs);
}

void main() {
  initSubgroups();
  clearRejects();
  askForSet();
  uint view = SLU_OWN_VIEW;
  uint inputs = inputCount();
  uint tile = ownTile();
  uint tileCount = tileCountOf(inputs);
  if (tile < tileCount) {
    uint kept = compactTile(view, tile, inputs);
    if (tile + 1u == tileCount && laneIndex == 0u) {  // all tiles are counted, but perhaps not all rejects
      if (kCountsRejects) {
        exchangeAt(wordAt(ScratchPlace(plan.demanded), view), tileFirst + kept);
      } else {
        publishSingle(view, inputs, tileFirst + kept);
      }
    }
    if (kEmitsCommands && !kCountsRejects && tile + 1u == tileCount) clearRest(view, tileFirst + kept);
  } else {
    if (laneIndex == 0u) {
      takeSet();
      joinFrame();
    }
    barrier();
  }
  clearOtherSet();
  leaveFrame();
  if (!kCountsRejects) return;
  addRejects(view);
  if (arrivesLast(view)) publishCounted(view, inputs);
}
