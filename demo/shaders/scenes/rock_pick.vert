#version 460
#extension GL_GOOGLE_include_directive : require
// An instance of a compacted multi-draw, by its index in the input and its place among the kept.
#include "frame.glsl"

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer InstanceReference { MeshInstance at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer IndexReference { uint at[]; };
layout(push_constant) uniform Push {
  FrameReference frame;
  InstanceReference instances;
  IndexReference indices;
};

layout(location = 0) in vec3 position;
layout(location = 0) flat out uvec2 picked;

vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

void main() {
  constants = frame.value;
  picked = uvec2(indices.at[gl_InstanceIndex], gl_InstanceIndex);
  MeshInstance instance = instances.at[picked.x];
  vec3 worldPosition = instance.position + rotate(instance.rotation, instance.scale * position);
  gl_Position = constants.viewProjection * vec4(worldPosition, 1.0);
}
