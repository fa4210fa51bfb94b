#version 460
layout(push_constant) uniform Push {
  vec2 scale;
  vec2 offset;
};
layout(location = 0) in vec2 position;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 color;
layout(location = 0) out vec2 place;
layout(location = 1) out vec4 tint;

void main() {
  gl_Position = vec4(position * scale + offset, 0.0, 1.0);
  place = texel;
  tint = color;
}
