#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// Compacts as GPU-driven renderers do. A thread tests one record for a word, or culls it by its bounding sphere. Each
// survivor costs one atomic addition to its draw's instance count.

layout(local_size_x = 256) in;
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

// draws: zeros.
layout(push_constant) uniform Push {
  uint64_t records;
  uint64_t elements;
  Draws draws;
  Spheres spheres;
  Frustum frustum;
  uint recordCount;
  uint bucketCapacity;
  uint vertexCount;
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

void main() {
  // One dimension of a dispatch ends at 2^16 - 1 groups on some devices.
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint index = group * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  if (index < kBucketCount) {
    draws.at[index].vertexCount = vertexCount;
    draws.at[index].firstInstance = index * bucketCapacity;
  }
  if (index >= recordCount || !isLive(index)) return;

  const uint64_t record = records + uint64_t(index) * (kRecordWords * 4);
  const uint bucket = kBucketCount == 1 ? 0 : Words(record).at[1];
  const uint slot = bucket * bucketCapacity + atomicAdd(draws.at[bucket].instanceCount, 1u);
  if (kIndices)
    Words(elements + uint64_t(slot) * 4).at[0] = index;
  else
    copyRecord(record, elements + uint64_t(slot) * (kRecordWords * 4));
}
