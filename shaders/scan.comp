#version 460
// Stable order with several buckets, second dispatch: turns the chunks' counts of a bucket into the records kept before
// each chunk, and publishes. x: bucket, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "rank.glsl"
#include "publish.glsl"
const uint kMostChunks = SLU_MAX_CHUNKS;
#include "scan.glsl"

void main() {
  initSubgroups();
  uint segment = gl_WorkGroupID.y * plan.bucketCount + gl_WorkGroupID.x;
  uint total = scanChunks(segment, false);
  if (laneIndex == 0u) atomicAdd(Words1(wordAt(plan.demanded, segment)).v, total);
  arrive(gl_WorkGroupID.y, inputCount());
}
