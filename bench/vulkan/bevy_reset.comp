#version 460
#extension GL_GOOGLE_include_directive : require
// Begins a frame of bevy's way, with a thread per bin. There are at least as many bins as groups.

layout(local_size_x = 64) in;
#include "bins.glsl"

void main() {
  const uint bin = threadOfGrid();
  if (bin >= kBucketCount) return;
  const uint batchSet = groupCount != 0 ? bin / groupBuckets : kNoBatchSet;
  Bins(others).at[bin] = BinMetadata(bin, bin * bucketCapacity, batchSet, 0, 0);
  if (bin < groupCount) drawCounts.at[bin] = 0;
}
