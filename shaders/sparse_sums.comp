#version 460
// Adds up the counters of a chunk of buckets (sparse.glsl). x: chunk, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/rank.glsl"
#include "sparse.glsl"

void main() {
  initSubgroups();
  uvec2 lower;
  uvec2 sum = sumBoth(sumOfBuckets(SLU_OWN_VIEW, gl_WorkGroupID.x), lower);
  if (laneIndex == 0u) storeTwo(chunkSumsAt(SLU_OWN_VIEW, gl_WorkGroupID.x), sum);
}
