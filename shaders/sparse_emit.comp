#version 460
// Writes what a sparse plan keeps (sparse.glsl). Workgroups stride over the tiles. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require
#define SLU_SEVERAL_DISPATCHES

#include "kernel.glsl"

#include "steps/rank.glsl"
#include "movers/list.glsl"
#include "sparse.glsl"

RecordsPlace recordAt(uint index) { return elementAt(RecordsPlace(frame.records), index, kRecordWords); }

#include "steps/emit.glsl"

// Returns the place of a record within the view, or SLU_DROPPED if it is not kept. A host that raises its live count in
// the middle of a frame has decisions read that no frame has written, so buckets are judged.
uint placeOf(uint view, uint index) {
  uint bucket = load(decisionAt(view, index));
  if (bucket >= plan.sparseBucketCount) return SLU_DROPPED;
  uint place = load(firstAt(view, bucket)) + load(decisionAt(view, index), 1u);
  return place < plan.outputsPerView ? place : SLU_DROPPED;
}

// Lists what a tile keeps, with its places. Returns how many records are kept. In uniform control flow.
uint listPlaced(uint view, uint tileBase, uint inputs) {
  uint places[kMaxItems];
  uint kept = 0u;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    uint index = tileBase + localIndex(item);
    places[item] = index < inputs ? placeOf(view, index) : SLU_DROPPED;
    kept |= uint(places[item] != SLU_DROPPED) << item;
  }
  uvec4 ranks;
  uint total = rank(kept, ranks);
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    if ((kept >> item & 1u) != 0u) {
      sharedList[rankOf(item, kept, ranks)] = localIndex(item);
      sharedSlots[rankOf(item, kept, ranks)] = places[item];
    }
  }
  barrier();
  return total;
}

// The loop contains barriers, so the live count, which lies in memory, must not end it.
void main() {
  initSubgroups();
  uint view = SLU_OWN_VIEW;
  uint inputs = inputCount();
  for (uint tile = gl_WorkGroupID.x; tile < tileCountOf(frame.recordCount); tile += SLU_WORKGROUP_COUNT) {
    uint kept = listPlaced(view, tile * kTile, inputs);
    emitTile(view, 0u, tile * kTile, kept);
  }
}
