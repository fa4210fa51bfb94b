#version 460
// Tests the records of a chunk. Writes their ballots and, per bucket, how many of them are kept. x: chunk, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "chunk.glsl"
#include "steps/evaluate.glsl"

const uint kBuckets = 1u << kBucketBits;
const bool kHistogram = kBucketBits <= SLU_HISTOGRAM_BITS;
shared uint sharedHistogram[kHistogram ? kBuckets : 1u];

// Per invocation, which of its items are kept: a bit per item. There is room for two tiles, since the flags of the
// previous one may still be read. A word of padding after every 32 words avoids bank conflicts.
const uint kFlagWords = SLU_WORKGROUP + SLU_WORKGROUP / 32u;
shared uint sharedFlags[2u * kFlagWords];

// No subgroup operation is needed, so the whole workgroup counts as one subgroup.
void initInvocations() {
  laneIndex = gl_LocalInvocationIndex;
  subgroupFirst = 0u;
  subgroupLanes = SLU_WORKGROUP;
}

// Returns a word of the tile's ballot. Its bits say which of 32 consecutive records are kept. flags: where the tile's
// flags begin in sharedFlags.
uint ballotWord(uint flags, uint word) {
  const uint kGroups = 32u / kGroup;
  uint ballot = 0u;
  [[unroll]] for (uint i = 0u; i < kGroups; ++i) {
    uint group = word * kGroups + i;
    uint lane = group % SLU_WORKGROUP;
    uint row = group / SLU_WORKGROUP;
    ballot |= (sharedFlags[flags + lane + lane / 32u] >> row * kGroup & (1u << kGroup) - 1u) << i * kGroup;
  }
  return ballot;
}

void main() {
  initInvocations();
  clearRejects();
  uint view = gl_WorkGroupID.y;
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
    uint flagsOfTurn = (turn & 1u) * kFlagWords;
    sharedFlags[flagsOfTurn + laneIndex + laneIndex / 32u] = flags;
    barrier();
    if (tile < tiles.y && laneIndex < kBallotWords) {
      store(ballotAt(view, tile), laneIndex, ballotWord(flagsOfTurn, laneIndex));
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
