#version 460
#extension GL_GOOGLE_include_directive : require
// The draws of bevy's way: a thread per bin. Of a batch set they come in any order, without those of empty bins.

layout(local_size_x = 64) in;
#include "bins.glsl"

void main() {
  const uint index = threadOfGrid();
  if (index >= kBucketCount) return;
  const BinMetadata bin = Bins(others).at[index];
  const uint instanceCount = bin.earlyInstanceCount + bin.lateInstanceCount;
  uint place = index;
  if (bin.batchSetIndex != kNoBatchSet) {
    if (instanceCount == 0) return;
    place = bin.batchSetIndex * groupBuckets + atomicAdd(drawCounts.at[bin.batchSetIndex], 1u);
  }
  draws.at[place] = DrawCommand(vertexCount, instanceCount, 0, bin.baseOutputIndex);
}
