#version 460
// Compacts a whole frame in any order. Workgroups stride over the tiles. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/evaluate.glsl"
#include "steps/rank.glsl"
#include "movers/list.glsl"
#include "steps/reserve.glsl"
#include "movers/buckets.glsl"
#include "steps/emit.glsl"
#ifndef SLU_SEVERAL_DISPATCHES
#include "steps/publish.glsl"
#include "steps/arrive.glsl"
#endif
#include "movers/narrow.glsl"
#include "movers/compact_narrow.glsl"
#include "movers/wide.glsl"

// Returns the number of kept records.
uint compactListed(uint view, uint tile, uint inputs) {
  uint buckets[kMaxItems];
  evaluateTile(view, tile * kTile, inputs, buckets);
  uint kept = listTile(buckets);
  if (kBucketed) {
    // With its last tile the workgroup begins to arrive before it stores. An arrival after the stores would have to
    // wait for them.
    bool isLast = isLastTile(tile, inputs);
    if (isLast) joinRejects();
    reserveBuckets(view, kept, isLast);
#ifndef SLU_SEVERAL_DISPATCHES
    if (isLast) beginArrival(view);
#endif
  } else {
    beginReserve(kept);
    tileFirst = endReserve();
  }
  emitTile(view, 0u, tile * kTile, kept);
  return kept;
}

uint compactTile(uint view, uint tile, uint inputs) {
  if (kMoves == SLU_MOVES_NARROW) return compactNarrow(view, tile, inputs);
  if (kMoves == SLU_MOVES_WIDE) return compactWide(view, tile, inputs);
  return compactListed(view, tile, inputs);
}

#ifdef SLU_SEVERAL_DISPATCHES

// The loop contains barriers, so the live count, which lies in memory, must not end it. Tiles beyond the live count
// hold no records.
void compact(uint view, uint inputs) {
  for (uint tile = gl_WorkGroupID.x; tile < tileCountOf(frame.recordCount); tile += SLU_WORKGROUP_COUNT) {
    compactTile(view, tile, max(inputs, tile * kTile));
  }
  addRejects(view);
}

#else

void compact(uint view, uint inputs) {
  for (uint tile = gl_WorkGroupID.x; tile < tileCountOf(inputs); tile += SLU_WORKGROUP_COUNT) {
    uint kept = compactTile(view, tile, inputs);
    if (kArrivesByTile) arriveTile(view, inputs, kept);
  }
  if (kArrivesByTile) return;
  if (kBucketed) {
    if (gl_WorkGroupID.x >= tileCountOf(inputs)) beginArrival(view);  // it has no tile
    if (endArrival(view)) publishSeveral(view, inputs);
    return;
  }
  addRejects(view);
  arrive(view, inputs);
}

#endif

void main() {
  initSubgroups();
  clearRejects();
  beginCounting();
  compact(SLU_OWN_VIEW, inputCount());
}
