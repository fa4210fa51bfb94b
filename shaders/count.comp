#version 460
// Stable order, several buckets, first dispatch: how many records of its chunk each workgroup keeps, per bucket.
// x: chunk, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "chunk.glsl"
#include "steps/evaluate.glsl"

const uint kBuckets = 1u << kBucketBits;
const bool kHistogram = kBucketBits <= SLU_HISTOGRAM_BITS;
shared uint sharedHistogram[kHistogram ? kBuckets : 1u];

void main() {
  initSubgroups();
  clearRejects();
  if (kHistogram) {
    for (uint bucket = laneIndex; bucket < kBuckets; bucket += SLU_WORKGROUP) sharedHistogram[bucket] = 0u;
  }
  uint view = gl_WorkGroupID.y;
  uint chunk = gl_WorkGroupID.x;
  uint inputs = inputCount();
  uvec2 tiles = tilesOfChunk(chunk, inputs);
  ScratchPlace counts = ScratchPlace(plan.chunkCounts);
  ScratchPlace column = wordAt(elementAt(counts, view * plan.bucketCount, frame.chunkCount), chunk);
  if (!kHistogram) {
    for (uint bucket = laneIndex; bucket < plan.bucketCount; bucket += SLU_WORKGROUP) {
      store(elementAt(column, bucket, frame.chunkCount), 0u);
    }
    memoryBarrierBuffer();
  }
  barrier();

  for (uint tile = tiles.x; tile < tiles.y; ++tile) {
    uint buckets[kMaxItems];
    evaluateTile(view, tile * kTile, inputs, buckets);
    [[unroll]] for (uint item = 0u; item < kItems; ++item) {
      if (buckets[item] != SLU_DROPPED) {
        if (kHistogram) {
          atomicAdd(sharedHistogram[buckets[item]], 1u);
        } else {
          addAt(elementAt(column, buckets[item], frame.chunkCount), 1u);
        }
      }
    }
  }
  barrier();
  if (kHistogram) {
    for (uint bucket = laneIndex; bucket < plan.bucketCount; bucket += SLU_WORKGROUP) {
      store(elementAt(column, bucket, frame.chunkCount), sharedHistogram[bucket]);
    }
  }
  addRejects(view);
}
