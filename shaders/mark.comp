#version 460
// Stable order, one bucket, more records than look back, first dispatch: each workgroup marks the records of its chunk
// that are kept, and counts them. The last workgroup of the view turns the counts into the records kept before each
// chunk, and publishes. x: chunk, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "chunk.glsl"
#include "evaluate.glsl"
#include "marks.glsl"
#include "rank.glsl"
#include "publish.glsl"

const uint kMostChunks = SLU_MAX_MARKED_CHUNKS;
#include "scan.glsl"

// Of tiles by turns, so that one barrier per tile is enough.
shared uint sharedBits[2u * SLU_WORKGROUP];  // an invocation's marks
shared uint sharedMarked[2];                 // how many there are

// By the first invocations, a word each.
void storeMarks(uint64_t marked, uint turn) {
  uint word = 0u;
  for (uint lane = laneIndex; lane < SLU_WORKGROUP; lane += kMarkWords) {
    word |= sharedBits[turn * SLU_WORKGROUP + lane] << lane / kMarkWords * kItems;
  }
  Words1(markAt(marked, laneIndex)).v = word;
  if (word != 0u) atomicAdd(sharedMarked[turn], bitCount(word));
}

void main() {
  initSubgroups();
  clearRejects();
  if (laneIndex < 2u) sharedMarked[laneIndex] = 0u;
  uint view = gl_WorkGroupID.y;
  uint chunk = gl_WorkGroupID.x;
  uint inputs = inputCount();
  uvec2 tiles = tilesOfChunk(chunk, inputs);

  uint before = 0u;  // records that the chunk keeps before the tile; of invocation 0
  for (uint tile = tiles.x; tile < tiles.y; ++tile) {
    uint buckets[kMaxItems];
    evaluateTile(view, tile * kTile, inputs, buckets);
    uint bits = 0u;
    [[unroll]] for (uint item = 0u; item < kItems; ++item) bits |= uint(buckets[item] != SLU_DROPPED) << item;
    uint turn = tile & 1u;
    sharedBits[turn * SLU_WORKGROUP + laneIndex] = bits;
    barrier();
    uint64_t marked = markedTile(view, tile);
    if (laneIndex == 0u) {
      before += sharedMarked[1u - turn];
      sharedMarked[1u - turn] = 0u;
      Words1(marked).v = before;
    }
    if (laneIndex < kMarkWords) storeMarks(marked, turn);
  }
  barrier();
  if (laneIndex == 0u) {
    uint kept = before + sharedMarked[0] + sharedMarked[1];
    atomicExchange(Words1(wordAt(plan.chunks, view * pushed.chunkCount + chunk)).v, kept);
  }
  if (kCountsRejects) {
    addRejects(view);
    memoryBarrierBuffer();
    barrier();
  }
  beginArrival(view);
  if (!endArrival(view)) return;
  uint demanded = scanChunks(view, true);
  if (laneIndex == 0u) publishSingle(view, inputs, demanded);
}
