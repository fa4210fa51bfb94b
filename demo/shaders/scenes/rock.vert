#version 460
#extension GL_GOOGLE_include_directive : require
// An instance of a compacted multi-draw: gl_InstanceIndex counts through the bucket's range of the index list.
#include "frame.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer InstanceReference { MeshInstance at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer IndexReference { uint at[]; };
layout(push_constant) uniform Push {
  FrameReference frame;
  InstanceReference instances;
  IndexReference indices;
};

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;
layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 localPosition;
layout(location = 2) out vec3 localNormal;
layout(location = 3) flat out vec4 rotation;
layout(location = 4) flat out uint seed;
layout(location = 5) flat out float scale;

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void main() {
  constants = frame.value;
  MeshInstance instance = instances.at[indices.at[gl_InstanceIndex]];
  worldPosition = instance.position + rotate(instance.rotation, instance.scale * position);
  localPosition = position;
  localNormal = normal.xyz;
  rotation = instance.rotation;
  seed = instance.seed;
  scale = instance.scale;
  gl_Position = constants.viewProjection * vec4(worldPosition, 1.0);
}
