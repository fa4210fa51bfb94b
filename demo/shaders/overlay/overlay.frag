#version 460
// The font's texture holds coverage alone; one of its texels is covered whole, for shapes.
layout(binding = 0) uniform sampler2D font;
layout(location = 0) in vec2 place;
layout(location = 1) in vec4 tint;
layout(location = 0) out vec4 color;

void main() { color = vec4(tint.rgb, tint.a * texture(font, place).r); }
