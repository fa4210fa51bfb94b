#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
// Counts the records that occlusion alone keeps from being drawn, by the bucket that they would be in.
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

void main() {
  tests = testsOfFrame.value;
  uint count = min(liveCount.at[0], tests.recordCount), step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  for (uint index = gl_GlobalInvocationID.x; index < count; index += step) {
    if (!isOccluded(index)) continue;
    TestedRecord record = testRecord(records, meshes, flags, index);
    if (record.outcome != SLU_REJECT_OCCLUDED) continue;
    uint lods = tests.meshWords > 0u ? lodsOf(meshes, record.key * tests.meshWords) : ~0u;
    SluFloat3 center = SluFloat3(record.center.x, record.center.y, record.center.z);
    uint lod = sluResidentLod(lods, sluLod(0u, sluDistance2(0u, center), tests.lodCount), tests.lodCount);
    if (lod < tests.lodCount) atomicAdd(counts.at[record.key * tests.lodCount + lod], 1u);
  }
}
