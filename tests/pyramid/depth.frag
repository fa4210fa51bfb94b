#version 460
// Writes to each sample the depth that the buffer has for it.
layout(set = 0, binding = 0, std430) readonly buffer Depths { float depths[]; };
layout(push_constant) uniform Layer {
  uint width;
  uint samples;
  uint first;
};

void main() {
  uint pixel = uint(gl_FragCoord.y) * width + uint(gl_FragCoord.x);
  gl_FragDepth = depths[first + pixel * samples + uint(gl_SampleID)];
}
