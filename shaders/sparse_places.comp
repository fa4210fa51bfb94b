#version 460
// Finds where the buckets of a chunk begin (sparse.glsl), writes their draws, and leaves their counters zero. x: chunk,
// y: view.
#extension GL_GOOGLE_include_directive : require
#define SLU_SEVERAL_DISPATCHES
#define SLU_SPARSE

#include "kernel.glsl"

#include "steps/rank.glsl"
#include "steps/publish.glsl"
#include "sparse.glsl"

// place: of the draw, among those of the view.
void writeDraw(uint view, uint place, uint bucket, uint first, uint kept) {
  if ((kOutputs & SLU_OUTPUT_DRAWS_BIT) == 0u || kept == 0u) return;
  BucketBlock block = firstBucket;
  block.firstOutput = first;
  describeDraw(bucket, block);
  writeCommand(view, place, bucket, block, kept);
}

void main() {
  initSubgroups();
  uint view = SLU_OWN_VIEW;
  uvec2 lower;
  sumBoth(sumOfBuckets(view, gl_WorkGroupID.x), lower);
  uvec2 before = loadTwo(chunkSumsAt(view, gl_WorkGroupID.x)) + lower;  // records, and buckets that are not empty
  for (uint i = 0u; i < kLaneBuckets; ++i) {
    uint bucket = ownBuckets(gl_WorkGroupID.x) + i;
    uint demanded = load(counterAt(view, bucket));
    if (demanded == 0u) continue;
    store(counterAt(view, bucket), 0u);
    store(firstAt(view, bucket), before.x);
    uint room = plan.outputsPerView - min(before.x, plan.outputsPerView);
    writeDraw(view, before.y, bucket, before.x, min(demanded, room));
    before += uvec2(demanded, 1u);
  }
}
