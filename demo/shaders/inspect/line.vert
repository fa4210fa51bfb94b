#version 460
#extension GL_GOOGLE_include_directive : require
// The edges of a frustum from the eye on, and rectangles across it at four distances.
#include "frame.glsl"

layout(push_constant) uniform Push {
  vec4 eye, right, up, forward;
  vec4 style;  // colour; w: how far the last rectangle is
  FrameReference frame;
};
layout(location = 0) out vec3 light;

const float distances[4] = float[](0.028, 0.105, 0.326, 1.0);
const vec2 corners[4] = vec2[](vec2(-1.0, -1.0), vec2(1.0, -1.0), vec2(1.0, 1.0), vec2(-1.0, 1.0));

void main() {
  constants = frame.value;
  int line = gl_VertexIndex / 2, end = gl_VertexIndex % 2;
  vec2 corner = line < 4 ? corners[line] : corners[(line + end) % 4];
  float far = style.w * (line < 4 ? distances[3] * end : distances[line / 4 - 1]);
  vec3 position = eye.xyz + far * (forward.xyz + corner.x * right.xyz + corner.y * up.xyz);
  gl_Position = constants.viewProjection * vec4(position, 1.0);
  light = style.rgb;
}
