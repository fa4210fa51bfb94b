#version 460
layout(location = 0) flat in vec3 light;
layout(location = 1) flat in float softness;
layout(location = 0) out vec4 color;

void main() {
  vec2 offset = gl_PointCoord * 2.0 - 1.0;
  float squared = dot(offset, offset);
  color = vec4(light * max(exp(-softness * squared) - exp(-softness), 0.0), 0.0);
}
