#version 460
// Writes what is kept of a chunk, tile after tile. The ballots say which records these are. Their keys and levels of
// detail are computed again, since storing the bucket of every record would take more bytes. x: chunk, y: view.
//
// Chunks are emitted in the reverse of the order in which they were counted, so that a cache still holds what was
// counted last.
#extension GL_GOOGLE_include_directive : require
#define SLU_SEVERAL_DISPATCHES
#define SLU_TESTED_BEFORE

#include "kernel.glsl"

#include "chunk.glsl"
#include "steps/evaluate.glsl"
#include "steps/rank.glsl"
#include "movers/list.glsl"

uint ownChunk() { return SLU_WORKGROUP_COUNT - 1u - gl_WorkGroupID.x; }

// Step 3, reserve: takes the next places of the chunk in the bucket. Only this workgroup advances them.
uint reserve(uint view, uint bucket, uint count) {
  return addAt(chunkCountAt(view * plan.bucketCount + bucket, ownChunk()), count);
}

#include "movers/buckets.glsl"
#include "steps/emit.glsl"

// Returns which of the invocation's kItems consecutive records are kept, a bit each. Invocation 0 has the first records
// of the tile.
uint keptItems(uint view, uint tile) {
  uint first = laneIndex * kItems;
  return load(ballotAt(view, tile), first / 32u) >> first % 32u & (1u << kItems) - 1u;
}

// Loads which records are kept, in a mask per row of the invocation. isTile: the chunk has this tile.
void loadMasks(uint view, uint tile, bool isTile, out uint masks[kMaxRows]) {
  [[unroll]] for (uint row = 0u; row < kRows; ++row) {
    uint first = groupIndex(row) * kGroup;
    masks[row] = isTile ? load(ballotAt(view, tile), first / 32u) >> first % 32u : 0u;
  }
}

// Lists what a tile keeps, for plans with one bucket. isTile: the chunk has this tile. Returns how many records are
// kept. In uniform control flow.
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

// Lists what a tile keeps with the buckets, for merged plans with commands. Their places follow from the ballots, so all
// that these keep is listed, even if its key or its mesh has changed since. isTile: the chunk has this tile. Returns how
// many records are kept. In uniform control flow.
uint listMerged(uint view, uint tile, uint inputs, bool isTile) {
  uint masks[kMaxRows];
  uint buckets[kMaxItems];
  loadMasks(view, tile, isTile, masks);
  evaluateLive(view, tile * kTile, max(inputs, tile * kTile), masks, buckets);
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    bool isKept = (masks[item / kGroup] >> item % kGroup & 1u) != 0u;
    if (isKept && buckets[item] == SLU_DROPPED) buckets[item] = kNoBucket;
  }
  return listTile(buckets);
}

// Lists what a tile keeps, for plans with several buckets. isTile: the chunk has this tile. Returns how many records
// are kept. In uniform control flow.
uint listBuckets(uint view, uint tile, uint inputs, bool isTile) {
  uint masks[kMaxRows];
  uint buckets[kMaxItems];
  loadMasks(view, tile, isTile, masks);
  evaluateLive(view, tile * kTile, max(inputs, tile * kTile), masks, buckets);
  return listTile(buckets);
}

void main() {
  initSubgroups();
  beginCounting();
  uint view = SLU_OWN_VIEW;
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
      kept = kEmitsCommands ? listMerged(view, tile, inputs, isTile) : listSingle(view, tile, isTile);
    }
    emitTile(view, 0u, tile * kTile, kept);
    tileFirst += kept;
    if (kBucketed) workgroupBarrier();  // other invocations advance the chunk's places for the next tile
  }
}
