#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
// Counts the records of each outcome.
#include "rejects.glsl"

layout(local_size_x = 256) in;
layout(buffer_reference, std430, buffer_reference_align = 4) buffer CountsReference { uint at[]; };
layout(push_constant) uniform Push {
  TestsReference testsOfFrame;
  WordsReference records;
  WordsReference meshes;
  WordsReference flags;
  WordsReference liveCount;
  CountsReference counts;
};
shared uint groupCounts[kOutcomeCount];

void main() {
  tests = testsOfFrame.value;
  uint lane = gl_LocalInvocationIndex;
  if (lane < kOutcomeCount) groupCounts[lane] = 0u;
  barrier();
  uint count = min(liveCount.at[0], tests.recordCount), step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint index = gl_GlobalInvocationID.x; index < count; index += step)
    atomicAdd(groupCounts[testRecord(records, meshes, flags, index).outcome], 1u);
  barrier();
  if (lane < kOutcomeCount) atomicAdd(counts.at[lane], groupCounts[lane]);
}
