#version 460
// A disc, which is all there is to see of a small one; a larger one is a shell.
layout(location = 0) flat in vec4 tint;
layout(location = 1) flat in float pixels;
layout(location = 0) out vec4 color;

void main() {
  vec2 offset = gl_PointCoord * 2.0 - 1.0;
  float squared = dot(offset, offset);
  if (squared > 1.0 && pixels > 3.0) discard;
  float shell = mix(0.3, 1.0, smoothstep(0.45, 0.95, squared));
  color = vec4(tint.rgb, tint.a * mix(1.0, shell, smoothstep(4.0, 10.0, pixels)));
}
