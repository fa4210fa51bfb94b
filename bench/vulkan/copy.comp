#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
// The best copy of the copy study as a shader: 16 bytes per thread, without a loop.

layout(local_size_x = 256) in;

layout(buffer_reference, std430, buffer_reference_align = 4) buffer Word { uint v; };
layout(buffer_reference, std430, buffer_reference_align = 16) buffer Vector { uvec4 v; };

// from and to: multiples of 16.
layout(push_constant) uniform Push {
  uint64_t from;
  uint64_t to;
  uint wordCount;
};

void main() {
  // One dimension of a dispatch ends at 2^16 - 1 groups on some devices.
  const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  const uint index = group * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
  const uint64_t offset = uint64_t(index) * 16;
  if (index < wordCount / 4) {
    Vector(to + offset).v = Vector(from + offset).v;
  } else if (index == wordCount / 4) {
    for (uint i = 0; i < wordCount % 4; ++i) Word(to + offset + 4 * i).v = Word(from + offset + 4 * i).v;
  }
}
