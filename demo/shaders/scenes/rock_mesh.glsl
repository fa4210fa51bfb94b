// What the task and mesh shaders of the belt share. Each bucket is a draw of its own. A task workgroup takes kTaskRecords
// kept records of it, and starts a mesh workgroup for each of them and each meshlet.
#extension GL_EXT_mesh_shader : require
#extension GL_EXT_buffer_reference : require
#include "meshlets.h"

struct RockVertex {
  vec3 position;
  uint normal;  // signed normalised bytes
};

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer WordReference { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer RangeReference { MeshletRange value; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MeshletReference { Meshlet at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer VertexReference { RockVertex at[]; };
// draws: four words per bucket, of which the first is the bucket's first output. counts: SluBucketCount per bucket.
#define MORE_PUSH_CONSTANTS   \
  WordReference draws;        \
  WordReference counts;       \
  RangeReference range;       \
  MeshletReference meshlets;  \
  WordReference vertexList;   \
  WordReference triangleList; \
  VertexReference vertices;   \
  uint bucket;
#include "instance.glsl"

struct Task {
  uint firstPlace;  // among the kept indices
};
taskPayloadSharedEXT Task task;
