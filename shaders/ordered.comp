#version 460
// The compaction in stable order with one bucket and few tiles: the whole frame, a workgroup per tile. x: tile, y:
// view.
#extension GL_GOOGLE_include_directive : require
#define SLU_LOOKS_BACK

#include "kernel.glsl"

#include "evaluate.glsl"
#include "rank.glsl"
#include "lookback.glsl"
#include "reserve.glsl"
#include "emit.glsl"
#include "publish.glsl"
#include "arrive.glsl"
#include "narrow.glsl"
#include "wide.glsl"

// Tests a tile, lists its kept records, and reads those again. In between it may have to count another tile.
uint compactListed(uint view, uint tile, uint inputs) {
  uint kept;
  uint tested = tile;
  uint patience = kPatience;
  [[dont_unroll]] for (;;) {
    uint buckets[kMaxItems];
    uint rejected[SLU_REJECTS_COUNT] = rejects;
    evaluateTile(view, tested * kTile, inputs, buckets);
    if (tested == tile) {
      kept = listTile(buckets);
      beginReserve(view, tile, kept);
    } else {
      rejects = rejected;
      patience = 1u;
      uint own = 0u;
      for (uint item = 0u; item < kItems; ++item) own += uint(buckets[item] != SLU_DROPPED);
      publishMissing(view, tested, own);
    }
    if (lookBack(view, tile, patience, tileFirst, tested)) break;
  }
  emitTile(view, tile * kTile, kept);
  return kept;
}

void compactTile(uint view, uint tile, uint inputs) {
  uint kept;
  if (kMoves == SLU_MOVES_NARROW) {
    kept = compactNarrow(view, tile, inputs);
  } else if (kMoves == SLU_MOVES_WIDE) {
    kept = compactWide(view, tile, inputs);
  } else {
    kept = compactListed(view, tile, inputs);
  }
  if (kArrivesByTile) arriveTile(view, inputs, kept);
}

// By a workgroup whose tile is beyond the live count.
void arriveWithoutTile(uint view, uint inputs) {
  if (laneIndex == 0u) sharedState = frameState;
  barrier();
  if (!kArrivesByTile) return;
#ifdef SLU_ATOMIC_INT64
  if (laneIndex == 0u) progress = atomicAdd(Progress(progressOf(view)).v, 1ul << kKeptBits);
#endif
  arriveTile(view, inputs, 0u);
}

void main() {
  initSubgroups();
  clearRejects();
  uint view = gl_WorkGroupID.y;
  uint inputs = inputCount();
  beginLookBack(view);
  uint tile = gl_WorkGroupID.x;
  if (kPatience == 1u) tile = gl_NumWorkGroups.x - 1u - tile;  // the worst order, for tests
  if (tile < tileCountOf(inputs)) {
    compactTile(view, tile, inputs);
  } else {
    arriveWithoutTile(view, inputs);
  }
  clearLastFrame(view, tile);
  if (kArrivesByTile) return;
  addRejects(view);
  if (!arrivesLast(view) || laneIndex != 0u) return;
  publishSingle(view, inputs, takeCounter(plan.demanded, view));
  endLookBack(view, inputs);
}
