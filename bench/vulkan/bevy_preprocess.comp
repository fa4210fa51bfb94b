#version 460
#extension GL_GOOGLE_include_directive : require
// The instances of bevy's way: a thread per record, and an atomic addition to the bin of each survivor.

layout(local_size_x = 64) in;
#include "bins.glsl"

void main() {
  const uint index = threadOfGrid();
  if (index >= recordCount || !isLive(index)) return;
  const uint bin = recordBucket(index);
  const uint first = Bins(others).at[bin].baseOutputIndex;
  emitRecord(index, first + atomicAdd(Bins(others).at[bin].earlyInstanceCount, 1u));
}
