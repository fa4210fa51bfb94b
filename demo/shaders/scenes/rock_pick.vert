#version 460
#extension GL_GOOGLE_include_directive : require
// An instance by its index in the input and its place among the kept.
#include "instance.glsl"

layout(location = 0) in vec3 position;
layout(location = 0) flat out uvec2 picked;

void main() {
  constants = frame.value;
  picked = uvec2(indices.at[gl_InstanceIndex], gl_InstanceIndex);
  Placement placement = placementOf(picked.x);
  gl_Position = constants.viewProjection * vec4(placement.linear * position + placement.position, 1.0);
}
