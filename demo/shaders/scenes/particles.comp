#version 460
#extension GL_GOOGLE_include_directive : require
// Writes the galaxy's particles at a moment, and how many are in use: the compaction reads that count where it is
// written here. On the CUDA route particles.cu does the same.
#include "frame.glsl"
#include "particle_step.h"

layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 16) writeonly buffer ParticleReference { Particle at[]; };
layout(buffer_reference, std430, buffer_reference_align = 4) writeonly buffer CountReference { uint value; };
layout(push_constant) uniform Push {
  FrameReference frame;
  ParticleReference particles;
  CountReference liveCount;
  uint particleCount;
};

void main() {
  constants = frame.value;
  float time = constants.forward.w;
  uint live = particlesInUse(particleCount, time);
  if (gl_GlobalInvocationID.x == 0u) liveCount.value = live;
  uint step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint index = gl_GlobalInvocationID.x; index < live; index += step)
    particles.at[index] = particleAt(index, particleCount, time);
}
