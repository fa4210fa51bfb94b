#version 460
// Publishes what the dispatches before it have counted, and places packed buckets for the one after it. y: view.
#extension GL_GOOGLE_include_directive : require
#define SLU_SEVERAL_DISPATCHES
#define SLU_COUNTED_BEFORE

#include "kernel.glsl"

#include "steps/rank.glsl"
#include "steps/publish.glsl"

void main() {
  initSubgroups();
  uint view = SLU_OWN_VIEW;
  uint inputs = inputCount();
  if (isGiven(plan.places)) packBuckets(view);
  if (plan.bucketCount == 1u) {
    publishCounted(view, inputs);
  } else {
    publishSeveral(view, inputs);
  }
}
