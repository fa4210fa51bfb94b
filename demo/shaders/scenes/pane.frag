#version 460
// Coloured glass in a bright frame.
layout(location = 0) in vec2 place;
layout(location = 1) flat in vec4 colour;
layout(location = 2) flat in vec2 size;
layout(location = 0) out vec4 color;

void main() {
  vec2 inside = (1.0 - abs(place)) * size;
  float edge = smoothstep(0.28, 0.10, min(inside.x, inside.y));
  float sheen = 0.75 + 0.35 * smoothstep(-0.9, 1.2, place.x + place.y);
  color = vec4(mix(colour.rgb * sheen, colour.rgb * 1.6 + 0.25, edge), colour.a * mix(0.85, 1.3, edge));
}
