#version 460
#extension GL_GOOGLE_include_directive : require
// The edges of a frustum from the eye on, and rectangles across it at four distances.
#include "frame.glsl"

layout(push_constant) uniform Push {
  vec4 eye, right, up, forward;
  FrameReference frame;
};
layout(location = 0) out vec3 light;

const float distances[4] = float[](12.0, 45.0, 140.0, 430.0);
const vec2 corners[4] = vec2[](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0));

void main() {
  constants = frame.value;
  int line = gl_VertexIndex / 2, end = gl_VertexIndex % 2;
  vec2 corner = line < 4 ? corners[line] : corners[(line + end) % 4];
  float far = line < 4 ? distances[3] * end : distances[line / 4 - 1];
  vec3 position = eye.xyz + far * (forward.xyz + corner.x * right.xyz + corner.y * up.xyz);
  gl_Position = constants.viewProjection * vec4(position, 1.0);
  light = vec3(1.6, 0.75, 0.12);
}
