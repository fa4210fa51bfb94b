#version 460
// The compaction in stable order with one bucket: the whole frame, a chunk of tiles per workgroup, one behind the
// workgroup that scans, if there is one. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require
#define SLU_LOOKS_BACK

#include "kernel.glsl"

#include "evaluate.glsl"
#include "rank.glsl"
#include "chunk.glsl"
#include "sum.glsl"
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
      patience = 0u;
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

void arriveWithoutTile(uint view, uint inputs) {
  if (laneIndex == 0u) sharedState = frameState;
  barrier();
  if (!kArrivesByTile) return;
#ifdef SLU_ATOMIC_INT64
  if (laneIndex == 0u) progress = atomicAdd(Progress(progressOf(view)).v, 1ul << kKeptBits);
#endif
  arriveTile(view, inputs, 0u);
}

void compactChunk(uint view, uint chunk, uint inputs) {
  uvec2 tiles = tilesOfChunk(chunk, inputs);
  if (tiles.x == tiles.y) arriveWithoutTile(view, inputs);
  for (uint tile = tiles.x; tile < tiles.y; ++tile) {
    endsChunk = tile + 1u == tiles.y;
    compactTile(view, tile, inputs);
  }
}

void main() {
  initSubgroups();
  clearRejects();
  uint view = gl_WorkGroupID.y;
  uint inputs = inputCount();
  beginLookBack(view);
  if (gl_WorkGroupID.x < scanningGroups()) {
    arriveWithoutTile(view, inputs);
    scanTiles(view, tileCountOf(inputs));
  } else {
    uint chunk = gl_WorkGroupID.x - scanningGroups();
    if (kPatience == 1u) chunk = pushed.chunkCount - 1u - chunk;  // the worst order, for tests
    compactChunk(view, chunk, inputs);
    clearLastFrame(view, chunk);
  }
  if (kArrivesByTile) return;
  addRejects(view);
  if (!arrivesLast(view) || laneIndex != 0u) return;
  publishSingle(view, inputs, takeCounter(plan.demanded, view));
  endLookBack(view, inputs);
}
