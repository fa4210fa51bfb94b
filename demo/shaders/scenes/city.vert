#version 460
#extension GL_GOOGLE_include_directive : require
// An instance of the city: gl_InstanceIndex counts through the bucket's range of the index list.
#include "frame.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer InstanceReference { MeshInstance at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer IndexReference { uint at[]; };
layout(push_constant) uniform Push {
  FrameReference frame;
  InstanceReference instances;
  IndexReference indices;
};

layout(location = 0) in vec3 position;
layout(location = 1) in vec4 normal;  // w: the material over 127
layout(location = 0) out vec3 worldPosition;
layout(location = 1) out vec3 localPosition;
layout(location = 2) out vec3 worldNormal;
layout(location = 3) out vec3 localNormal;
layout(location = 4) flat out uint material;
layout(location = 5) flat out uint seed;

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void main() {
  constants = frame.value;
  MeshInstance instance = instances.at[indices.at[gl_InstanceIndex]];
  worldPosition = instance.position + rotate(instance.rotation, instance.scale * position);
  localPosition = position;
  worldNormal = rotate(instance.rotation, normal.xyz);
  localNormal = normal.xyz;
  material = uint(normal.w * 127.0 + 0.5);
  seed = instance.seed;
  gl_Position = constants.viewProjection * vec4(worldPosition, 1.0);
}
