#version 460
// Compacts a whole frame in any order into several buckets. Each tile is sorted by bucket in shared memory before it is
// stored. Workgroups stride over the tiles. x: workgroup, y: view.
#extension GL_GOOGLE_include_directive : require

#include "kernel.glsl"

#include "steps/evaluate.glsl"
#include "steps/rank.glsl"
#include "movers/list.glsl"
#include "steps/reserve.glsl"
#include "movers/buckets.glsl"
#ifndef SLU_SEVERAL_DISPATCHES
#include "steps/publish.glsl"
#endif
#include "movers/sorted.glsl"

void main() {
  initSubgroups();
  clearRejects();
  beginCounting();
  uint view = SLU_OWN_VIEW;
  uint inputs = inputCount();
#ifdef SLU_SEVERAL_DISPATCHES
  for (uint tile = gl_WorkGroupID.x; tile < tileCountOf(frame.recordCount); tile += SLU_WORKGROUP_COUNT) {
    compactSorted(view, tile, max(inputs, tile * kTile));
  }
  addRejects(view);
#else
  for (uint tile = gl_WorkGroupID.x; tile < tileCountOf(inputs); tile += SLU_WORKGROUP_COUNT) {
    compactSorted(view, tile, inputs);
  }
  if (gl_WorkGroupID.x >= tileCountOf(inputs)) beginArrival(view);  // it has no tile
  if (endArrival(view)) publishSeveral(view, inputs);
#endif
}
