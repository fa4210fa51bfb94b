#version 460
// The compaction. Unordered: the whole frame, workgroups striding over the tiles. Stable: the last dispatch, after
// count and scan, each workgroup taking the tiles of its chunk one after the other. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/evaluate.glsl"
#include "steps/rank.glsl"
#include "chunk.glsl"
#include "movers/list.glsl"
#include "steps/reserve.glsl"
#include "movers/buckets.glsl"
#include "steps/emit.glsl"
#include "steps/publish.glsl"
#include "steps/arrive.glsl"
#include "movers/narrow.glsl"
#include "movers/compact_narrow.glsl"
#include "movers/wide.glsl"

// Of several buckets the workgroup begins to arrive with its last tile: behind the stores it would have to wait for them.
const bool kArrivesEarly = kBucketed && !kChunked;

uint compactListed(uint view, uint chunk, uint tile, uint inputs) {
  uint buckets[kMaxItems];
  evaluateTile(view, tile * kTile, inputs, buckets);
  uint kept = listTile(buckets);
  if (kBucketed) {
    bool isLast = kArrivesEarly && tile + gl_NumWorkGroups.x >= tileCountOf(inputs);
    if (isLast) joinRejects();
    reserveBuckets(view, chunk, kept, isLast);
    if (isLast) beginArrival(view);
  } else {
    beginReserve(kept);
    tileFirst = endReserve();
  }
  emitTile(view, 0u, tile * kTile, kept);
  return kept;
}

void compactTile(uint view, uint chunk, uint tile, uint inputs) {
  uint kept;
  if (kMoves == SLU_MOVES_NARROW) {
    kept = compactNarrow(view, tile, inputs);
  } else if (kMoves == SLU_MOVES_WIDE) {
    kept = compactWide(view, tile, inputs);
  } else {
    kept = compactListed(view, chunk, tile, inputs);
  }
  if (kArrivesByTile) arriveTile(view, inputs, kept);
}

void main() {
  initSubgroups();
  clearRejects();
  beginCounting();
  uint view = gl_WorkGroupID.y;
  uint inputs = inputCount();
  if (kChunked) {
    uvec2 tiles = tilesOfChunk(gl_WorkGroupID.x, inputs);
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
      compactTile(view, gl_WorkGroupID.x, tile, inputs);
      memoryBarrierBuffer();
    }
    return;
  }
  for (uint tile = gl_WorkGroupID.x; tile < tileCountOf(inputs); tile += gl_NumWorkGroups.x) {
    compactTile(view, 0u, tile, inputs);
  }
  if (kArrivesByTile) return;
  if (kArrivesEarly) {
    if (gl_WorkGroupID.x >= tileCountOf(inputs)) beginArrival(view);  // it has counted nothing
    if (endArrival(view)) publishSeveral(view, inputs);
    return;
  }
  addRejects(view);
  arrive(view, inputs);
}
