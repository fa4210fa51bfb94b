#version 460
// Tests the records of a sparse plan, and counts them by bucket (sparse.glsl). Workgroups stride over the tiles.
// x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require
#define SLU_SEVERAL_DISPATCHES

#include "kernel.glsl"

#include "steps/evaluate.glsl"
#include "steps/rank.glsl"
#include "sparse.glsl"

// Returns the rank of a record in its bucket. Where many records are of one bucket, those of a subgroup that have the
// bucket of the first one take one atomic.
uint rankInBucket(uint view, uint bucket) {
#ifdef SLU_EMULATED_SUBGROUPS
  return addAt(counterAt(view, bucket), 1u);
#else
  if (bucket != subgroupBroadcastFirst(bucket)) return addAt(counterAt(view, bucket), 1u);
  uvec4 sharing = subgroupBallot(true);
  uint first = 0u;
  if (subgroupElect()) first = addAt(counterAt(view, bucket), subgroupBallotBitCount(sharing));
  return subgroupBroadcastFirst(first) + subgroupBallotExclusiveBitCount(sharing);
#endif
}

void rankTile(uint view, uint tileBase, uint inputs) {
  uint buckets[kMaxItems];
  evaluateTile(view, tileBase, inputs, buckets);
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    uint index = tileBase + localIndex(item);
    if (index < inputs) store(decisionAt(view, index), buckets[item]);
    if (buckets[item] != SLU_DROPPED) store(decisionAt(view, index), 1u, rankInBucket(view, buckets[item]));
  }
}

void main() {
  initSubgroups();
  clearRejects();
  barrier();
  uint inputs = inputCount();
  for (uint tile = gl_WorkGroupID.x; tile < tileCountOf(inputs); tile += SLU_WORKGROUP_COUNT) {
    rankTile(SLU_OWN_VIEW, tile * kTile, inputs);
  }
  addRejects(SLU_OWN_VIEW);
}
