#version 460
#extension GL_GOOGLE_include_directive : require
// A host's shader that asks why a sphere was dropped: of the view that it names, or with NAMES_NO_VIEW of one that it passes.
#include "sluice/culling_types.h"

layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer Views { SluViewBlock views[]; };
layout(set = 0, binding = 1, std430) readonly buffer Spheres { SluSphere spheres[]; };
layout(set = 0, binding = 2, std430) writeonly buffer Outcomes { uint outcomes[]; };

#ifndef NAMES_NO_VIEW
#define SLU_VIEW_REF uint
#define SLU_VIEW_AT(view) views[view]
#endif
#include "sluice/culling.h"

#ifdef NAMES_NO_VIEW
#define VIEW views[gl_WorkGroupID.y]
#else
#define VIEW gl_WorkGroupID.y
#endif

void main() {
  uint index = gl_GlobalInvocationID.x;
  if (index >= spheres.length()) return;
  SluSphere sphere = spheres[index];
  uint outcome = sluCullSphere(VIEW, sphere, SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT);
  uint lod = sluLod(VIEW, sluDistance2(VIEW, sphere.center), SLU_MAX_LODS);
  outcomes[index] = outcome == SLU_KEPT ? SLU_KEPT + lod : outcome;
}
