#version 460
// The same frames, second dispatch: moves the marked records, a tile at a time. Workgroups begin with the last tiles,
// which the caches still hold of what the first dispatch read. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "chunk.glsl"
#include "marks.glsl"
#include "rank.glsl"
#include "list.glsl"
#include "emit.glsl"

void moveTile(uint view, uint chunk, uint tile) {
  uint64_t marked = markedTile(view, tile);
  uint bits = load(markAt(marked, markWord())) >> markShift();
  tileFirst = load(plan.chunks, view * pushed.chunkCount + chunk) + load(marked);
  uint buckets[kMaxItems];
  [[unroll]] for (uint item = 0u; item < kItems; ++item) buckets[item] = (bits >> item & 1u) != 0u ? 0u : SLU_DROPPED;
  uint kept = listTile(buckets);
  emitTile(view, tile * kTile, kept);
}

void main() {
  initSubgroups();
  uint inputs = inputCount();
  uint tileCount = (inputs + kTile - 1u) / kTile;
  uint perChunk = tilesPerChunk(inputs);
  for (uint i = gl_WorkGroupID.x; i < tileCount; i += gl_NumWorkGroups.x) {
    uint tile = tileCount - 1u - i;
    moveTile(gl_WorkGroupID.y, tile / perChunk, tile);
  }
}
