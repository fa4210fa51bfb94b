// What shaders with a thread per record share: where records are, which of them are live, and how one is written. The
// shader has declared its local size. record_push.h fills constants and push constants.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

layout(constant_id = 0) const uint kRecordWords = 1;
layout(constant_id = 1) const uint kBucketCount = 1;
layout(constant_id = 2) const bool kIndices = false;
layout(constant_id = 3) const bool kCulls = false;

struct DrawCommand {
  uint vertexCount;
  uint instanceCount;
  uint firstVertex;
  uint firstInstance;
};

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vectors { uvec4 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Draws { DrawCommand at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Spheres { vec4 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Frustum { vec4 planes[6]; };

layout(push_constant) uniform Push {
  uint64_t records;
  uint64_t elements;
  Draws draws;
  Spheres spheres;
  Frustum frustum;
  uint64_t others;   // what the shader has for each bucket besides
  Words drawCounts;  // of groups, or one
  uint recordCount;
  uint bucketCapacity;
  uint vertexCount;
  uint groupCount;
  uint groupBuckets;
};

// Structs of whole vectors are moved by vectors, as a compiler moves a renderer's.
void copyRecord(uint64_t from, uint64_t to) {
  if (kRecordWords % 4 == 0) {
    for (uint i = 0; i < kRecordWords / 4; ++i) Vectors(to).at[i] = Vectors(from).at[i];
  } else {
    for (uint i = 0; i < kRecordWords; ++i) Words(to).at[i] = Words(from).at[i];
  }
}

bool isLive(uint index) {
  if (!kCulls) return Words(records + uint64_t(index) * (kRecordWords * 4)).at[0] != 0;
  const vec4 sphere = spheres.at[index];
  const vec4 center = vec4(sphere.xyz, 1.0);
  bool touches = true;  // no early out: neighbours wait for the last of them, and Mesa 22.3 gets it wrong
  for (uint i = 0; i < 6; ++i) touches = dot(frustum.planes[i], center) >= -sphere.w && touches;
  return touches;
}

uint recordBucket(uint index) {
  return kBucketCount == 1 ? 0 : Words(records + uint64_t(index) * (kRecordWords * 4)).at[1];
}

// Writes the record, or its index, as an element of the output.
void emitRecord(uint index, uint place) {
  if (kIndices)
    Words(elements + uint64_t(place) * 4).at[0] = index;
  else
    copyRecord(records + uint64_t(index) * (kRecordWords * 4), elements + uint64_t(place) * (kRecordWords * 4));
}

// One dimension of a dispatch ends at 2^16 - 1 groups on some devices.
uint threadOfGrid() {
  return (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
}
