#version 460
#extension GL_GOOGLE_include_directive : require
// A triangle that covers the picture.
layout(location = 0) out vec2 ndc;

void main() {
  ndc = vec2(gl_VertexIndex == 1 ? 3.0 : -1.0, gl_VertexIndex == 2 ? 3.0 : -1.0);
  gl_Position = vec4(ndc, 0.0, 1.0);
}
