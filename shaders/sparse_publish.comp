#version 460
// Replaces the sums of each chunk of buckets by those of the chunks before it (sparse.glsl), and publishes all but the
// draws. y: view.
#extension GL_GOOGLE_include_directive : require
#define SLU_SEVERAL_DISPATCHES
#define SLU_SPARSE

#include "kernel.glsl"

#include "steps/rank.glsl"
#include "steps/publish.glsl"
#include "sparse.glsl"

shared uint sharedCut;        // the chunk in which the capacity ends; the first one if it does not end
shared uint sharedCutBefore;  // what the chunks before it demand

// Replaces the sums. Returns those of all chunks. In uniform control flow.
uvec2 scanChunks(uint view) {
  uvec2 carried = uvec2(0u);
  [[dont_unroll]] for (uint base = 0u; base < frame.chunkCount; base += SLU_WORKGROUP) {
    uint chunk = base + laneIndex;
    uvec2 own = uvec2(0u);
    if (chunk < frame.chunkCount) own = loadTwo(chunkSumsAt(view, chunk));
    uvec2 before;
    uvec2 sum = sumBoth(own, before);
    before += carried;
    if (chunk < frame.chunkCount) storeTwo(chunkSumsAt(view, chunk), before);
    if (before.x < plan.outputsPerView && own.x >= plan.outputsPerView - before.x) {
      sharedCut = chunk;
      sharedCutBefore = before.x;
    }
    carried += sum;
  }
  return carried;
}

// Returns how many buckets of the chunk in which the capacity ends are neither empty nor beyond it. In uniform control
// flow.
uint drawsOfCut(uint view) {
  uvec2 lower;
  sumBoth(sumOfBuckets(view, sharedCut), lower);
  uint first = sharedCutBefore + lower.x;
  uint own = 0u;
  for (uint i = 0u; i < kLaneBuckets; ++i) {
    uint demanded = load(counterAt(view, ownBuckets(sharedCut) + i));
    own += uint(demanded != 0u && first < plan.outputsPerView);
    first += demanded;
  }
  uint before;
  barrier();
  return sumOfLanes(own, before);
}

// Writes zeros behind the draws.
void clearBehind(uint view, uint drawn) {
  if ((kOutputs & SLU_OUTPUT_DRAWS_BIT) == 0u) return;
  uint count = min(plan.zeroCommandCount, SLU_SPARSE_COMMANDS(plan.sparseBucketCount, plan.outputsPerView) - drawn);
  for (uint i = laneIndex; i < count; i += SLU_WORKGROUP) clearCommand(view, drawn + i);
}

void main() {
  initSubgroups();
  if (laneIndex == 0u) {
    sharedCut = 0u;
    sharedCutBefore = 0u;
  }
  barrier();
  uint view = SLU_OWN_VIEW;
  uint demanded;
  uint drawn;
  {
    uvec2 sum = scanChunks(view);
    workgroupBarrier();  // shares the cut and the sums before it
    uint ofCut = drawsOfCut(view);
    demanded = sum.x;
    drawn = demanded < plan.outputsPerView ? sum.y : loadTwo(chunkSumsAt(view, sharedCut)).y + ofCut;
  }
  clearBehind(view, drawn);
  if (laneIndex != 0u) return;
  uint kept = min(demanded, plan.outputsPerView);
  writeBucketCount(view, demanded, kept);  // where further streams need it
  writeTotals(view, inputCount(), demanded, kept, plan.draw.wordCount != 0u ? drawn : 0u,
              demanded > kept ? SLU_OVERFLOW_CAPACITY_BIT : 0u);
}
