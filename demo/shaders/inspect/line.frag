#version 460
layout(location = 0) in vec3 light;
layout(location = 0) out vec4 color;

void main() { color = vec4(light, 1.0); }
