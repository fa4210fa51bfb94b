#version 460
// Replaces each chunk's count of a bucket by how many records the chunks before it keep, and writes the bucket's total.
// x: bucket, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "chunk.glsl"
#include "steps/rank.glsl"

const uint kChunksPerLane = 4u;

// Scans the chunks from `block` on, as many as a workgroup takes at a time. carried: how many records the chunks before
// them keep. Returns how many these keep. In uniform control flow.
uint scanChunks(uint segment, uint block, uint carried) {
  uint first = block + laneIndex * kChunksPerLane;
  uint counts[kChunksPerLane];
  uint own = 0u;
  [[unroll]] for (uint i = 0u; i < kChunksPerLane; ++i) {
    counts[i] = first + i < frame.chunkCount ? load(chunkCountAt(segment, first + i)) : 0u;
    own += counts[i];
  }
  uint before;
  barrier();
  uint total = sumOfLanes(own, before);
  before += carried;
  [[unroll]] for (uint i = 0u; i < kChunksPerLane; ++i) {
    if (first + i < frame.chunkCount) store(chunkCountAt(segment, first + i), before);
    before += counts[i];
  }
  return total;
}

void main() {
  initSubgroups();
  uint segment = SLU_OWN_VIEW * plan.bucketCount + gl_WorkGroupID.x;
  uint kept = 0u;
  [[dont_unroll]] for (uint block = 0u; block < frame.chunkCount; block += SLU_WORKGROUP * kChunksPerLane) {
    kept += scanChunks(segment, block, kept);
  }
  if (laneIndex == 0u) store(wordAt(ScratchPlace(plan.demanded), segment), kept);
}
