#version 460
#extension GL_GOOGLE_include_directive : require
// A kept particle by its index in the input and its place among the kept. It is hit where it shines the most, and a
// small one a little beside it.
#include "frame.glsl"
#include "particle.glsl"

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer IndexReference { uint at[]; };
layout(push_constant) uniform Push {
  FrameReference frame;
  IndexReference indices;
  float maxPointSize;
};
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 colour;
layout(location = 0) flat out uvec2 picked;

void main() {
  constants = frame.value;
  picked = uvec2(indices.at[gl_VertexIndex], gl_VertexIndex);
  gl_Position = constants.viewProjection * vec4(position, 1.0);
  gl_PointSize = clamp(0.4 * particlePixels(colour.a, gl_Position.w), min(3.0, maxPointSize), maxPointSize);
}
