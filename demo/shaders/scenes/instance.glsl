// An instance of a compacted multi-draw: gl_InstanceIndex counts through the bucket's range of the index list.
#include "frame.glsl"

layout(constant_id = 0) const bool hasMatrices = false;  // of the records, instead of parts of a transform

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer InstanceReference { MeshInstance at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer MatrixReference { MatrixInstance at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer IndexReference { uint at[]; };
#ifndef MORE_PUSH_CONSTANTS
#define MORE_PUSH_CONSTANTS
#endif
layout(push_constant) uniform Push {
  FrameReference frame;
  InstanceReference instances;
  IndexReference indices;
  MORE_PUSH_CONSTANTS
};

// Where an instance is: world = linear * local + position. The linear part is a rotation times the scale.
struct Placement {
  mat3 linear;
  vec3 position;
  float scale;
  uint seed;
};

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

Placement placementOf(uint index) {
  if (hasMatrices) {
    MatrixInstance instance = MatrixReference(instances).at[index];
    mat4x3 matrix = transpose(mat3x4(instance.rows[0], instance.rows[1], instance.rows[2]));
    return Placement(mat3(matrix), matrix[3], length(matrix[0]), instance.seed);
  }
  MeshInstance instance = instances.at[index];
  mat3 rotation = mat3(rotate(instance.rotation, vec3(1.0, 0.0, 0.0)), rotate(instance.rotation, vec3(0.0, 1.0, 0.0)),
                       rotate(instance.rotation, vec3(0.0, 0.0, 1.0)));
  return Placement(instance.scale * rotation, instance.position, instance.scale, instance.seed);
}
