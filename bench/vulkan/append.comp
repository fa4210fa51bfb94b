#version 460
#extension GL_GOOGLE_include_directive : require
// Compacts as GPU-driven renderers do. A thread tests one record for a word, or culls it by its bounding sphere. Each
// survivor costs one atomic addition to its draw's instance count. The draws are zeros when a frame begins.

layout(local_size_x = 256) in;
#include "records.glsl"

void main() {
  const uint index = threadOfGrid();
  if (index < kBucketCount) {
    draws.at[index].vertexCount = vertexCount;
    draws.at[index].firstInstance = index * bucketCapacity;
  }
  if (index >= recordCount || !isLive(index)) return;

  const uint bucket = recordBucket(index);
  emitRecord(index, bucket * bucketCapacity + atomicAdd(draws.at[bucket].instanceCount, 1u));
}
