#version 460
// Tests the records of a chunk. Writes their ballots and, per bucket, how many of them are kept. x: chunk, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "chunk.glsl"
#include "steps/ballots.glsl"
#include "steps/evaluate.glsl"

const uint kBuckets = 1u << kBucketBits;
const bool kHistogram = kBucketBits <= SLU_HISTOGRAM_BITS;
shared uint sharedHistogram[kHistogram ? kBuckets : 1u];

void main() {
  initInvocations();
  clearRejects();
  uint view = SLU_OWN_VIEW;
  uint chunk = gl_WorkGroupID.x;
  uint inputs = inputCount();
  uvec2 tiles = tilesOfChunk(chunk, inputs);
  uint firstSegment = view * plan.bucketCount;
  if (kHistogram) {
    for (uint bucket = laneIndex; bucket < kBuckets; bucket += SLU_WORKGROUP) sharedHistogram[bucket] = 0u;
  } else {
    for (uint bucket = laneIndex; bucket < plan.bucketCount; bucket += SLU_WORKGROUP) {
      store(chunkCountAt(firstSegment + bucket, chunk), 0u);
    }
  }
  workgroupBarrier();

  uint kept = 0u;  // with one bucket: what this invocation keeps
  [[dont_unroll]] for (uint turn = 0u; turn < turnsOfChunk(); ++turn) {
    uint tile = tiles.x + turn;
    uint flags = 0u;
    if (tile < tiles.y) {
      uint buckets[kMaxItems];
      evaluateTile(view, tile * kTile, inputs, buckets);
      [[unroll]] for (uint item = 0u; item < kItems; ++item) {
        if (buckets[item] != SLU_DROPPED) {
          flags |= 1u << item;
          if (!kBucketed) {
            ++kept;
          } else if (kHistogram) {
            atomicAdd(sharedHistogram[buckets[item]], 1u);
          } else {
            addAt(chunkCountAt(firstSegment + buckets[item], chunk), 1u);
          }
        }
      }
    }
    shareFlags(turn, 0u, flags);
    barrier();
    if (tile < tiles.y && laneIndex < kBallotWords) {
      store(ballotAt(view, tile), laneIndex, ballotWord(turn, 0u, laneIndex));
    }
  }
  if (!kBucketed && kept != 0u) atomicAdd(sharedHistogram[0], kept);
  joinRejects();
  barrier();
  if (kHistogram) {
    for (uint bucket = laneIndex; bucket < plan.bucketCount; bucket += SLU_WORKGROUP) {
      store(chunkCountAt(firstSegment + bucket, chunk), sharedHistogram[bucket]);
    }
  }
  addJoinedRejects(view);
}
