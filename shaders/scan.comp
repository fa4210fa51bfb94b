#version 460
// Stable order with several buckets, second dispatch: turns the chunks' counts of a bucket into the records kept before
// each chunk, and publishes. x: bucket, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/rank.glsl"
#include "steps/publish.glsl"

const uint kChunksPerLane = SLU_MAX_CHUNKS / SLU_WORKGROUP;

// Returns the sum of the counts. In uniform control flow.
uint scanChunks(uint segment) {
  ScratchPlace row = elementAt(ScratchPlace(plan.chunkCounts), segment, frame.chunkCount);
  uint first = laneIndex * kChunksPerLane;
  uint counts[kChunksPerLane];
  uint own = 0u;
  [[unroll]] for (uint i = 0u; i < kChunksPerLane; ++i) {
    counts[i] = first + i < frame.chunkCount ? load(row, first + i) : 0u;
    own += counts[i];
  }
  uint before;
  uint total = sumOfLanes(own, before);
  [[unroll]] for (uint i = 0u; i < kChunksPerLane; ++i) {
    if (first + i < frame.chunkCount) store(row, first + i, before);
    before += counts[i];
  }
  return total;
}

void main() {
  initSubgroups();
  uint segment = gl_WorkGroupID.y * plan.bucketCount + gl_WorkGroupID.x;
  uint total = scanChunks(segment);
  if (laneIndex == 0u) addAt(wordAt(ScratchPlace(plan.demanded), segment), total);
  arrive(gl_WorkGroupID.y, inputCount());
}
