#version 460
#extension GL_EXT_buffer_reference : require
// Stands for drawing: arithmetic of a fixed length per pixel, in many short workgroups, as fragments are.

layout(local_size_x = 256) in;
layout(constant_id = 0) const uint kPixelCount = 1;  // of the target, which workgroups shade again and again

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint at[]; };
layout(push_constant) uniform Push { Words target; };

void main() {
  uint value = gl_GlobalInvocationID.x;
  for (uint i = 0; i < 1024; ++i) value = value * 1664525u + 1013904223u;
  target.at[gl_GlobalInvocationID.x % kPixelCount] = value;
}
