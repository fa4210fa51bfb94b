#version 460
// The compaction. Unordered: the whole frame, workgroups striding over the tiles. Stable: the last dispatch, after
// count and scan, each workgroup taking the tiles of its chunk one after the other. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "evaluate.glsl"
#include "rank.glsl"
#include "chunk.glsl"
#include "list.glsl"
#include "reserve.glsl"
#include "buckets.glsl"
#include "emit.glsl"
#include "publish.glsl"
#include "arrive.glsl"
#include "narrow.glsl"
#include "wide.glsl"

uint compactListed(uint view, uint chunk, uint tile, uint inputs) {
  uint buckets[kMaxItems];
  evaluateTile(view, tile * kTile, inputs, buckets);
  uint kept = listTile(buckets);
  if (kBucketed) {
    reserveBuckets(view, chunk, kept);
  } else {
    beginReserve(kept);
    tileFirst = endReserve();
  }
  emitTile(view, tile * kTile, kept);
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
    beginChunk(view, gl_WorkGroupID.x);
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
      compactTile(view, gl_WorkGroupID.x, tile, inputs);
      if (kBucketed) memoryBarrierBuffer();
    }
    return;
  }
  for (uint tile = gl_WorkGroupID.x; tile < tileCountOf(inputs); tile += gl_NumWorkGroups.x) {
    compactTile(view, 0u, tile, inputs);
  }
  if (kArrivesByTile) return;
  addRejects(view);
  arrive(view, inputs);
}
