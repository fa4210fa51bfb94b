#version 460
// Tests the records of a chunk for all views of the frame, as count.comp does for one. Each record is read once,
// however many views there are. x: chunk.
#extension GL_GOOGLE_include_directive : require
#define SLU_ALL_VIEWS

#include "kernel.glsl"

#include "chunk.glsl"
#include "steps/ballots.glsl"
#include "steps/evaluate.glsl"

// A counter per view and bucket, where that is not too many; else the chunk's counters are added to.
const bool kHistogram = kBucketBits + SLU_FRAME_VIEW_BITS <= SLU_HISTOGRAM_BITS;
shared uint sharedHistogram[kHistogram ? 1u << kBucketBits + SLU_FRAME_VIEW_BITS : 1u];
shared uint sharedViewRejects[SLU_FRAME_VIEWS * SLU_REJECT_COUNT];

// The invocation's items. No view changes these values.
uint outcomes[kMaxItems];  // SLU_KEPT, or the test that failed
uint keys[kMaxItems];
uint layers[kMaxItems];
SluSphere spheres[kMaxItems];
Volumes volumes;

// Loads a tile. Keys are tested before culling, since what one view culls another may keep.
void loadTile(uint tile, uint inputs) {
  uint masks[kMaxRows];
  liveMasks(tile * kTile, inputs, masks);
  beginOutcomes(tile * kTile, inputs, masks, outcomes, keys);
  if (kKeyTime != SLU_KEYS_NONE) testKeys(tile * kTile, outcomes, keys);
  loadLayers(tile * kTile, outcomes, layers);
  if (kHasVolumes) {
    loadVolumes(tile * kTile, keys, outcomes, volumes);
  } else if (kNeedsBounds) {
    loadSpheres(tile * kTile, keys, outcomes, spheres);
  }
}

// Tests the items of a tile for a view. lods: the levels of detail of those that it keeps.
void testForView(uint view, uint tile, uint inputs, inout uint ofView[kMaxItems], out uint lods[kMaxItems]) {
  [[unroll]] for (uint item = 0u; item < kItems; ++item) lods[item] = 0u;
  if (kScene == 0u) {
    cullSpheres(view, spheres, ofView, lods);
    return;
  }
  float distances2[kMaxItems];
  testLayers(view, layers, ofView);
  if (kHasVolumes) {
    cullVolumes(view, volumes, layers, ofView, distances2);
    testCones(view, tile * kTile, keys, volumes, layers, ofView);
  }
  chooseLods(view, tile * kTile, inputs, keys, volumes, distances2, ofView, lods);
}

void addViewRejects(uint view, uint ofView[kMaxItems]) {
  if (!kCountsRejects) return;
  [[unroll]] for (uint reason = kFirstCounted; reason < kReasonCount; ++reason) {
    uint count = 0u;
    [[unroll]] for (uint item = 0u; item < kItems; ++item) count += uint(ofView[item] == reason);
    if (count != 0u) atomicAdd(sharedViewRejects[view * SLU_REJECT_COUNT + reason], count);
  }
}

// Counts the items that the view keeps in their buckets. Returns which of them these are, a bit each.
uint countForView(uint view, uint tile, uint chunk, uint inputs) {
  uint ofView[kMaxItems] = outcomes;
  uint lods[kMaxItems];
  testForView(view, tile, inputs, ofView, lods);
  addViewRejects(view, ofView);
  uint flags = 0u;
  [[unroll]] for (uint item = 0u; item < kItems; ++item) {
    if (ofView[item] == SLU_KEPT) {
      flags |= 1u << item;
      uint bucket = firstBucketOf(volumes.mirrored, item) + sluBucket(keys[item], kLodCount, lods[item]);
      if (kBucketed && kHistogram) atomicAdd(sharedHistogram[view << kBucketBits | bucket], 1u);
      if (kBucketed && !kHistogram) addAt(chunkCountAt(view * plan.bucketCount + bucket, chunk), 1u);
    }
  }
  return flags;
}

// Tests a tile for all views, and shares what each keeps.
void testTile(uint turn, uint tile, uint chunk, uint inputs) {
  loadTile(tile, inputs);
  [[dont_unroll]] for (uint word = 0u; word * kViewsPerWord < frame.viewCount; ++word) {
    uint first = word * kViewsPerWord;
    uint flags = 0u;
    [[dont_unroll]] for (uint i = 0u; i < min(frame.viewCount - first, kViewsPerWord); ++i) {
      flags |= countForView(first + i, tile, chunk, inputs) << i * kItems;
    }
    shareFlags(turn, word, flags);
  }
}

// An invocation makes a word of the ballots of several views, as many words as a workgroup needs for the most views.
const uint kMostBallots = SLU_FRAME_VIEWS * kBallotWords / SLU_WORKGROUP;
uint viewOfBallot(uint i) { return (i * SLU_WORKGROUP + laneIndex) / kBallotWords; }

void main() {
  initInvocations();
  uint chunk = gl_WorkGroupID.x;
  uint inputs = inputCount();
  uvec2 tiles = tilesOfChunk(chunk, inputs);
  uint segments = frame.viewCount * plan.bucketCount;
  if (kHistogram) {
    for (uint i = laneIndex; i < 1u << kBucketBits + SLU_FRAME_VIEW_BITS; i += SLU_WORKGROUP) sharedHistogram[i] = 0u;
  } else {
    for (uint segment = laneIndex; segment < segments; segment += SLU_WORKGROUP) {
      store(chunkCountAt(segment, chunk), 0u);
    }
  }
  if (laneIndex < SLU_FRAME_VIEWS * SLU_REJECT_COUNT) sharedViewRejects[laneIndex] = 0u;
  workgroupBarrier();

  uint kept[kMostBallots];  // with one bucket: in the words that this invocation makes
  [[unroll]] for (uint i = 0u; i < kMostBallots; ++i) kept[i] = 0u;
  [[dont_unroll]] for (uint turn = 0u; turn < turnsOfChunk(); ++turn) {
    uint tile = tiles.x + turn;
    bool isTile = tile < tiles.y;
    if (isTile) testTile(turn, tile, chunk, inputs);
    barrier();
    [[unroll]] for (uint i = 0u; i < kMostBallots; ++i) {
      uint view = viewOfBallot(i);
      if (isTile && view < frame.viewCount) {
        uint ballot = ballotWord(turn, view, laneIndex % kBallotWords);
        store(ballotAt(view, tile), laneIndex % kBallotWords, ballot);
        kept[i] += bitCount(ballot);
      }
    }
  }
  if (!kBucketed) {
    [[unroll]] for (uint i = 0u; i < kMostBallots; ++i) {
      if (kept[i] != 0u) atomicAdd(sharedHistogram[viewOfBallot(i)], kept[i]);
    }
  }
  barrier();
  if (kHistogram) {
    for (uint segment = laneIndex; segment < segments; segment += SLU_WORKGROUP) {
      uint counter = segment / plan.bucketCount << kBucketBits | segment % plan.bucketCount;
      store(chunkCountAt(segment, chunk), sharedHistogram[counter]);
    }
  }
  if (kCountsRejects && laneIndex < frame.viewCount * SLU_REJECT_COUNT && sharedViewRejects[laneIndex] != 0u) {
    addAt(wordAt(ScratchPlace(plan.rejected), laneIndex), sharedViewRejects[laneIndex]);
  }
}
