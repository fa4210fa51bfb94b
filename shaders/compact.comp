#version 460
// The compaction. Unordered: the whole frame, workgroups striding over the tiles. Stable: the last dispatch, after count
// and scan, each workgroup taking the tiles of its chunk one after the other. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "evaluate.glsl"
#include "rank.glsl"
#include "reserve.glsl"
#include "chunk.glsl"
#include "emit.glsl"
#include "publish.glsl"
#include "narrow.glsl"
#include "wide.glsl"

// Where kArrivesByTile, at the end of each tile; the last of the view publishes. Without 64-bit atomics another
// invocation than the one that reserved does it, which then need not wait for its own stores.
void arriveTile(uint view, uint inputs, uint kept) {
#ifdef SLU_ATOMIC_INT64
  if (laneIndex != 0u || uint(progress >> kKeptBits) + 1u != tileCountOf(inputs)) return;
  atomicExchange(Progress(progressOf(view)).v, 0ul);
  publishSingle(view, inputs, uint(progress) + kept);
#else
  if (laneIndex != SLU_WORKGROUP / 2u) return;
  memoryBarrierBuffer();
  if (countArrival(view) + 1u != tileCountOf(inputs)) return;
  memoryBarrierBuffer();
  clearArrivals(view);
  publishSingle(view, inputs, takeCounter(plan.demanded, view));
#endif
}

void compactTile(uint view, uint chunk, uint tile, uint inputs) {
  uint kept;
  if (kMoves == SLU_MOVES_NARROW) {
    kept = compactNarrow(view, tile, inputs);
  } else if (kMoves == SLU_MOVES_WIDE) {
    kept = compactWide(view, tile, inputs);
  } else {
    uint buckets[kMaxItems];
    evaluateTile(view, tile * kTile, inputs, buckets);
    kept = listTile(buckets);
    reserveTile(view, chunk, kept);
    emitTile(view, tile * kTile, kept);
  }
  if (kArrivesByTile) arriveTile(view, inputs, kept);
}

void main() {
  initSubgroups();
  clearRejects();
  beginCounting();
  uint view = gl_WorkGroupID.y;
  uint inputs = inputCount();
  if (kStable != 0u) {
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
