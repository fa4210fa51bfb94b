#version 460
// Writes what is kept of a chunk, tile after tile. The ballots say which records these are. Their keys and levels of detail
// are computed again, since to store the bucket of every record would take more bytes. x: chunk, y: view.
//
// Chunks come in the reverse order of their counting, so that a cache still holds what was counted last.
#extension GL_GOOGLE_include_directive : require
#define SLU_SEVERAL_DISPATCHES

#include "kernel.glsl"

#include "chunk.glsl"
#include "steps/evaluate.glsl"
#include "steps/rank.glsl"
#include "movers/list.glsl"

uint ownChunk() { return gl_NumWorkGroups.x - 1u - gl_WorkGroupID.x; }

// Step 3, reserve: from the chunk's places in each bucket, which this workgroup alone advances.
uint reserve(uint view, uint bucket, uint count) {
  return addAt(chunkCountAt(view * plan.bucketCount + bucket, ownChunk()), count);
}

#include "movers/buckets.glsl"
#include "steps/emit.glsl"

// Returns which of kItems consecutive records are kept, a bit each. The first invocation has the tile's first ones.
uint keptItems(uint view, uint tile) {
  uint first = laneIndex * kItems;
  return load(ballotAt(view, tile), first / 32u) >> first % 32u & (1u << kItems) - 1u;
}

// Lists what a tile keeps for a single bucket. isTile is false if the chunk has no tile left. Returns how many records that
// are. In uniform control flow.
uint listSingle(uint view, uint tile, bool isTile) {
  uint flags = isTile ? keptItems(view, tile) : 0u;
  barrier();
  uint place;
  uint kept = sumOfLanes(bitCount(flags), place);
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    if ((flags >> item & 1u) != 0u) sharedList[place++] = laneIndex * kItems + item;
  }
  barrier();
  return kept;
}

// Lists what a tile keeps for several buckets. isTile is false if the chunk has no tile left. Returns how many records that
// are. In uniform control flow.
uint listBuckets(uint view, uint tile, uint inputs, bool isTile) {
  uint masks[kMaxRows];
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint first = groupIndex(row) * kGroup;
    masks[row] = isTile ? load(ballotAt(view, tile), first / 32u) >> first % 32u : 0u;
  }
  uint buckets[kMaxItems];
  evaluateLive(view, tile * kTile, max(inputs, tile * kTile), masks, buckets);
  return listTile(buckets);
}

void main() {
  initSubgroups();
  uint view = gl_WorkGroupID.y;
  uint inputs = inputCount();
  uvec2 tiles = tilesOfChunk(ownChunk(), inputs);
  tileFirst = kBucketed ? 0u : load(chunkCountAt(view, ownChunk()));
  [[dont_unroll]] for (uint turn = 0u; turn < turnsOfChunk(); ++turn) {
    uint tile = tiles.x + turn;
    bool isTile = tile < tiles.y;
    uint kept;
    if (kBucketed) {
      kept = listBuckets(view, tile, inputs, isTile);
      reserveBuckets(view, kept, false);
    } else {
      kept = listSingle(view, tile, isTile);
    }
    emitTile(view, 0u, tile * kTile, kept);
    tileFirst += kept;
    if (kBucketed) workgroupBarrier();  // the buckets' places of this chunk are taken by other invocations next
  }
}
