// Uniform buffers: PlanPart with the plan's first bucket, FramePart with the state of a predicate, and for plans that
// use views the dispatch's view, or with SLU_ALL_VIEWS all views of the frame. Plans with one bucket read their bucket
// here, since a uniform is available at once, while a load from memory takes 0.6 us.

// Whether a stream is aligned for vector loads, by the name of a field of FramePart. With one view of a buffer a vector
// is loaded word by word, which takes any alignment.
#ifdef SLU_ONE_VIEW
#define SLU_IS_WIDE(field) true
#else
#define SLU_IS_WIDE(field) (frame.field != 0u)
#endif

// A dispatch in HLSL knows neither its first workgroup nor how many it has, so these are a uniform buffer, too.
#ifdef SLU_HLSL
#include "shared/registers.h"
#define SLU_PLAN_UNIFORMS set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_PLAN
#define SLU_FRAME_UNIFORMS set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_FRAME
#define SLU_VIEW_UNIFORMS set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_VIEW
layout(set = SLU_REGISTER_SPACE, binding = SLU_REGISTER_DISPATCH, std140) uniform DispatchUniforms {
  uint firstView;
  uint workgroupCount;
};
#define SLU_OWN_VIEW (firstView + gl_WorkGroupID.y)  // the workgroup's view
#define SLU_WORKGROUP_COUNT workgroupCount           // of the dispatch in x
#else
#define SLU_PLAN_UNIFORMS set = 0, binding = 0
#define SLU_FRAME_UNIFORMS set = 1, binding = 0
#define SLU_VIEW_UNIFORMS set = 1, binding = 1
#define SLU_OWN_VIEW gl_WorkGroupID.y
#define SLU_WORKGROUP_COUNT gl_NumWorkGroups.x
#endif

#ifdef SLU_BOUND

// std140 gives each element of an array 16 bytes, so arrays of words are vectors here.
layout(SLU_PLAN_UNIFORMS, std140) uniform PlanUniforms {
  PlanPart plan;
  uvec4 firstBucketWords[2];
};
layout(SLU_FRAME_UNIFORMS, std140) uniform FrameUniforms {
  FramePart frame;
  layout(offset = SLU_STATE_OFFSET) uvec4 stateWords[4];
};
#ifdef SLU_ALL_VIEWS
struct ViewSlot {
  vec4 words[10];
  uvec4 layerWords;
  vec4 directionWords;
  vec4 morePlanes[SLU_PLANES];
  vec4 occlusionFloats[7];
  uvec4 occlusionWords[2];
  uvec4 padding[SLU_VIEW_PADDING / 4];
};
layout(SLU_VIEW_UNIFORMS, std140) uniform ViewUniforms { ViewSlot viewSlots[SLU_FRAME_VIEWS]; };
#define SLU_VIEW_WORDS(view) viewSlots[view].words
#define SLU_LAYER_WORDS(view) viewSlots[view].layerWords
#define SLU_DIRECTION_WORDS(view) viewSlots[view].directionWords
#define SLU_MORE_PLANES(view) viewSlots[view].morePlanes
#else
layout(SLU_VIEW_UNIFORMS, std140) uniform ViewUniforms {
  vec4 viewWords[10];
  uvec4 layerWords;
  vec4 directionWords;
  vec4 moreWords[SLU_PLANES];
  vec4 occlusionFloats[7];
  uvec4 occlusionWords[2];
};
#define SLU_VIEW_WORDS(view) viewWords
#define SLU_LAYER_WORDS(view) layerWords
#define SLU_DIRECTION_WORDS(view) directionWords
#define SLU_MORE_PLANES(view) moreWords
#endif

BucketBlock bucketOfWords(uvec4 first, uvec4 second) {
  BucketBlock block;
  block.capacity = first.x;
  block.firstOutput = first.y;
  block.command[0] = first.z;
  block.command[1] = first.w;
  block.command[2] = second.x;
  block.command[3] = second.y;
  block.command[4] = second.z;
  block.group = second.w;
  return block;
}
#define firstBucket bucketOfWords(firstBucketWords[0], firstBucketWords[1])

// The words of SluViewBlock that are not of an array.
struct ViewScalars {
  float eyeX;
  float eyeY;
  float eyeZ;
  float minDistance2;
  float maxDistance2;
  float minSizeRatio2;
  float lodRatio2;
  float minRadius2;
  float lodDistanceScaled2;
  uint layerMask;
  uint morePlanes;
  uint eitherFrustum;
  uint isOrthographic;
  float directionX;
  float directionY;
  float directionZ;
  float directionLength2;
};
ViewScalars viewScalars(uint view) {
  return ViewScalars(SLU_VIEW_WORDS(view)[6].x, SLU_VIEW_WORDS(view)[6].y, SLU_VIEW_WORDS(view)[6].z,
                     SLU_VIEW_WORDS(view)[6].w, SLU_VIEW_WORDS(view)[7].x, SLU_VIEW_WORDS(view)[7].y,
                     SLU_VIEW_WORDS(view)[9].y, SLU_VIEW_WORDS(view)[9].z, SLU_VIEW_WORDS(view)[9].w,
                     SLU_LAYER_WORDS(view).x, SLU_LAYER_WORDS(view).y, SLU_LAYER_WORDS(view).z, SLU_LAYER_WORDS(view).w,
                     SLU_DIRECTION_WORDS(view).x, SLU_DIRECTION_WORDS(view).y, SLU_DIRECTION_WORDS(view).z,
                     SLU_DIRECTION_WORDS(view).w);
}
const uint kFirstLodWord = 30u;
float lodDistance2(uint view, uint lod) {
#ifdef SLU_HLSL
  // FXC takes a component that it does not know by a dot product, where infinity beside it makes NaN of it.
  vec4 four = SLU_VIEW_WORDS(view)[(kFirstLodWord + lod) / 4u];
  uint part = (kFirstLodWord + lod) % 4u;
  return part < 2u ? (part == 0u ? four.x : four.y) : (part == 2u ? four.z : four.w);
#else
  return SLU_VIEW_WORDS(view)[(kFirstLodWord + lod) / 4u][(kFirstLodWord + lod) % 4u];
#endif
}
#ifndef SLU_ALL_VIEWS
SluRow occlusionRow(uint row) {
  return SluRow(occlusionFloats[row].x, occlusionFloats[row].y, occlusionFloats[row].z, occlusionFloats[row].w);
}
SluOcclusionBlock occlusionBlock() {
  return SluOcclusionBlock(
      occlusionRow(0u), occlusionRow(1u), occlusionRow(2u), occlusionRow(3u), occlusionFloats[4].x,
      occlusionFloats[4].y, occlusionFloats[4].z, occlusionFloats[4].w, occlusionFloats[5].x, occlusionFloats[5].y,
      occlusionFloats[5].z, occlusionFloats[5].w, occlusionFloats[6].x, occlusionFloats[6].y, occlusionFloats[6].z,
      occlusionFloats[6].w, uintBitsToFloat(occlusionWords[0].x), occlusionWords[0].y, occlusionWords[0].z,
      occlusionWords[0].w, occlusionWords[1].x, occlusionWords[1].y, occlusionWords[1].z, occlusionWords[1].w);
}
#define SLU_OCCLUSION_AT(view) occlusionBlock()
#endif
#define SLU_VIEW_AT(view) viewScalars(view)
#define SLU_VIEW_PLANE(view, plane, part) SLU_VIEW_WORDS(view)[plane][part]
#define SLU_VIEW_LOD_DISTANCE2(view, lod) lodDistance2(view, lod)

#else

layout(SLU_PLAN_UNIFORMS, std430) uniform PlanUniforms {
  PlanPart plan;
  BucketBlock firstBucket;
};
layout(SLU_FRAME_UNIFORMS, std430) uniform FrameUniforms {
  FramePart frame;
  layout(offset = SLU_STATE_OFFSET) uvec4 stateWords[4];
};
#ifdef SLU_ALL_VIEWS
struct ViewSlot {
  SluViewBlock block;
  vec4 morePlanes[SLU_PLANES];
  SluOcclusionBlock occlusion;
  uint padding[SLU_VIEW_PADDING];
};
layout(SLU_VIEW_UNIFORMS, std430) uniform ViewUniforms { ViewSlot frameViews[SLU_FRAME_VIEWS]; };
#define SLU_VIEW_AT(view) frameViews[view].block
#define SLU_MORE_PLANES(view) frameViews[view].morePlanes
#else
layout(SLU_VIEW_UNIFORMS, std430) uniform ViewUniforms {
  SluViewBlock dispatchView;
  vec4 moreWords[SLU_PLANES];
  SluOcclusionBlock dispatchOcclusion;
};
#define SLU_VIEW_AT(view) dispatchView
#define SLU_OCCLUSION_AT(view) dispatchOcclusion
#define SLU_MORE_PLANES(view) moreWords
#endif

#endif
