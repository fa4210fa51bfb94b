#version 460
// Stable order, second dispatch: turns the chunks' counts of a bucket into the records kept before each chunk, and
// publishes. x: bucket, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "rank.glsl"
#include "publish.glsl"

shared uint sharedSums[SLU_WORKGROUP];

// Sum over the lower lanes (Hillis and Steele 1986); total is that of all.
uint exclusiveSum(uint value, out uint total) {
  uint inclusive = value;
  sharedSums[laneIndex] = inclusive;
  barrier();
  for (uint distance = 1u; distance < SLU_WORKGROUP; distance *= 2u) {
    uint lower = laneIndex >= distance ? sharedSums[laneIndex - distance] : 0u;
    barrier();
    inclusive += lower;
    sharedSums[laneIndex] = inclusive;
    barrier();
  }
  total = sharedSums[SLU_WORKGROUP - 1u];
  return inclusive - value;
}

void main() {
  initSubgroups();
  uint segment = gl_WorkGroupID.y * plan.bucketCount + gl_WorkGroupID.x;
  uint64_t row = plan.chunks + 4ul * (uint64_t(segment) * pushed.chunkCount);
  uint perLane = (pushed.chunkCount + SLU_WORKGROUP - 1u) / SLU_WORKGROUP;
  uint first = min(laneIndex * perLane, pushed.chunkCount);
  uint last = min(first + perLane, pushed.chunkCount);

  uint sum = 0u;
  for (uint chunk = first; chunk < last; ++chunk) sum += load(row, chunk);
  uint total;
  uint before = exclusiveSum(sum, total);
  for (uint chunk = first; chunk < last; ++chunk) {
    uint count = load(row, chunk);
    store(row, chunk, before);
    before += count;
  }
  if (laneIndex == 0u) atomicAdd(Words1(wordAt(plan.demanded, segment)).v, total);
  arrive(gl_WorkGroupID.y, inputCount());
}
