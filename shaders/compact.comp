#version 460
// The compaction. Unordered: the whole frame, workgroups striding over the tiles. Stable: the last of three dispatches
// (count, scan, compact), each workgroup taking the tiles of its chunk one after the other. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "evaluate.glsl"
#include "rank.glsl"
#include "reserve.glsl"
#include "chunk.glsl"
#include "emit.glsl"
#include "publish.glsl"
#include "words.glsl"

void compactTile(uint view, uint chunk, uint tile, uint inputs) {
  uint tileBase = tile * kTile;
  if (kMovesWords != 0u) {
    compactWords(view, chunk, tileBase, inputs);
    return;
  }
  uint buckets[kMaxItems];
  evaluateTile(view, tileBase, inputs, buckets);
  uint kept = listTile(buckets);
  reserveTile(view, chunk, kept);
  emitTile(view, tileBase, kept);
}

void main() {
  initSubgroups();
  clearRejects();
  uint view = gl_WorkGroupID.y;
  uint inputs = inputCount();
  if (kStable != 0u) {
    uvec2 tiles = tilesOfChunk(gl_WorkGroupID.x, inputs);
    for (uint tile = tiles.x; tile < tiles.y; ++tile) {
      compactTile(view, gl_WorkGroupID.x, tile, inputs);
      memoryBarrierBuffer();
    }
    return;
  }
  uint tileCount = (inputs + kTile - 1u) / kTile;
  for (uint tile = gl_WorkGroupID.x; tile < tileCount; tile += gl_NumWorkGroups.x) compactTile(view, 0u, tile, inputs);
  addRejects(view);
  if (arrivesLast()) publish(inputs);
}
