// Uniform buffers: PlanPart with the plan's first bucket, FramePart with the state of a predicate, and for plans that
// use views the dispatch's view. Plans with one bucket read their bucket here, since a uniform is available at once,
// while a load from memory takes 0.6 us.

#ifdef SLU_BOUND

// std140 gives each element of an array 16 bytes, so arrays of words are vectors here.
layout(set = 0, binding = 0, std140) uniform PlanUniforms {
  PlanPart plan;
  uvec4 firstBucketWords[2];
};
layout(set = 1, binding = 0, std140) uniform FrameUniforms {
  FramePart frame;
  layout(offset = SLU_STATE_OFFSET) uvec4 stateWords[4];
};
layout(set = 1, binding = 1, std140) uniform ViewUniforms {
  vec4 viewWords[10];
  uvec4 layerWords;
};

BucketBlock bucketOfWords(uvec4 first, uvec4 second) {
  BucketBlock block;
  block.capacity = first.x;
  block.firstOutput = first.y;
  block.command[0] = first.z;
  block.command[1] = first.w;
  block.command[2] = second.x;
  block.command[3] = second.y;
  block.command[4] = second.z;
  block.padding0 = second.w;
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
};
ViewScalars viewScalars() {
  return ViewScalars(viewWords[6].x, viewWords[6].y, viewWords[6].z, viewWords[6].w, viewWords[7].x, viewWords[7].y,
                     viewWords[9].y, viewWords[9].z, viewWords[9].w, layerWords.x);
}
const uint kFirstLodWord = 30u;
float lodDistance2(uint lod) { return viewWords[(kFirstLodWord + lod) / 4u][(kFirstLodWord + lod) % 4u]; }
#define SLU_VIEW_AT(view) viewScalars()
#define SLU_VIEW_PLANE(view, plane, part) viewWords[plane][part]
#define SLU_VIEW_LOD_DISTANCE2(view, lod) lodDistance2(lod)

#else

layout(set = 0, binding = 0, std430) uniform PlanUniforms {
  PlanPart plan;
  BucketBlock firstBucket;
};
layout(set = 1, binding = 0, std430) uniform FrameUniforms {
  FramePart frame;
  layout(offset = SLU_STATE_OFFSET) uvec4 stateWords[4];
};
layout(set = 1, binding = 1, std430) uniform ViewUniforms { SluViewBlock dispatchView; };
#define SLU_VIEW_AT(view) dispatchView

#endif
