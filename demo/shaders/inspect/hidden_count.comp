#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
// Counts the records that occlusion alone keeps from being drawn, by the bucket that they would be in. Behind these
// counts come those of the records that cones do, and if the plan has none those of the records that pass.
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

bool isCounted(uint outcome) {
  return outcome == SLU_REJECT_OCCLUDED || outcome == SLU_REJECT_CONE ||
         (outcome == kPassed && tests.countsPassed != 0u);
}

void main() {
  tests = testsOfFrame.value;
  uint count = min(liveCount.at[0], tests.recordCount), step = gl_NumWorkGroups.x * gl_WorkGroupSize.x;
  bool testsCones = (tests.cullFlags & SLU_CULL_CONE_BIT) != 0u || tests.countsPassed != 0u;
  for (uint index = gl_GlobalInvocationID.x; index < count; index += step) {
    if (!testsCones && !isOccluded(index)) continue;
    TestedRecord record = testRecord(records, meshes, flags, index);
    if (!isCounted(record.outcome)) continue;
    uint lods = tests.meshWords > 0u ? lodsOf(meshes, record.key * tests.meshWords) : ~0u;
    SluFloat3 center = SluFloat3(record.center.x, record.center.y, record.center.z);
    uint lod = sluResidentLod(lods, sluLod(0u, sluDistance2(0u, center), tests.lodCount), tests.lodCount);
    uint kind = record.outcome == SLU_REJECT_OCCLUDED ? kCountedHidden
                : record.outcome == SLU_REJECT_CONE   ? kCountedFacingAway
                                                      : kCountedPassed;
    uint bucketCount = max(tests.keyCount, 1u) * tests.lodCount;
    if (lod < tests.lodCount) atomicAdd(counts.at[kind * bucketCount + record.key * tests.lodCount + lod], 1u);
  }
}
