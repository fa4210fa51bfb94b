#version 460
layout(location = 0) flat in uvec2 picked;
layout(location = 0) out uvec2 target;

void main() { target = picked; }
