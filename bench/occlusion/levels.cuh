// Occlusion as renderers in the open have it, over the study's street: a pyramid by levels, and two phases with a
// thread per record and an atomic per survivor.
//
// niagara: depthreduce.comp.glsl and drawcull.comp.glsl of github.com/zeux/niagara. Each level is a launch. A record has
// a word that says whether the last frame saw it. The first phase culls those that it saw. The second one culls all,
// tests them against four texels of one level, draws those that it sees and the last frame did not, and writes the
// words. Granite (github.com/Themaister/Granite) also folds four texels into one, and repeats those at an odd edge.
// bevy (github.com/bevyengine/bevy) takes a survivor's place from the bin of its mesh by an atomic.
//
// This differs from them: a record's box is projected by its corners, since these records have boxes and matrices. That
// is what nvpro-samples/vk_lod_clusters does in culling.glsl. The level is the finest one on which four texels hold the
// rectangle, so that nothing is hidden that shows. Levels have the size of the picture, halved and rounded up. There the
// words of the last frame and those of this one lie apart, so that a frame can be measured again and again.
#pragma once

#include <cstdint>

#include "literature/source.cuh"
#include "occlusion/levels.h"

namespace bench {

constexpr uint32_t kFoldThreads = 16;  // along either axis
constexpr uint32_t kCullThreads = 64;

// A texel becomes the farthest of four. Depths are reversed.
__global__ void __launch_bounds__(kFoldThreads* kFoldThreads)
    foldLevel(const float* finer, uint32_t finerWidth, uint32_t finerHeight, float* level, uint32_t width,
              uint32_t height) {
  const uint32_t x = blockIdx.x * kFoldThreads + threadIdx.x;
  const uint32_t y = blockIdx.y * kFoldThreads + threadIdx.y;
  if (x >= width || y >= height) return;
  const uint32_t left = 2 * x, right = left + 1 < finerWidth ? left + 1 : left;
  const uint32_t top = 2 * y, bottom = top + 1 < finerHeight ? top + 1 : top;
  const float upper = fminf(finer[top * finerWidth + left], finer[top * finerWidth + right]);
  const float lower = fminf(finer[bottom * finerWidth + left], finer[bottom * finerWidth + right]);
  level[y * width + x] = fminf(upper, lower);
}

__global__ void __launch_bounds__(kCullThreads) resetStreetDraws(StreetOutput output) {
  const uint32_t bucket = literature::threadOfGrid();
  if (bucket < output.bucketCount) output.draws[bucket] = {kDrawVertexCount, 0, 0, bucket * output.capacity};
}

struct ClipPoint {
  float x, y, z, w;
};

// Multiplications and additions are fused by name, since this program is compiled without the compiler's own fusing.
__device__ inline float dot(const float (&row)[4], float x, float y, float z, float sum) {
  return fmaf(row[0], x, fmaf(row[1], y, fmaf(row[2], z, sum)));
}

__device__ inline ClipPoint toClip(const StreetCamera& camera, float x, float y, float z) {
  const float(&rows)[4][4] = camera.rows;
  return {dot(rows[0], x, y, z, rows[0][3]), dot(rows[1], x, y, z, rows[1][3]), dot(rows[2], x, y, z, rows[2][3]),
          dot(rows[3], x, y, z, rows[3][3])};
}

// Returns the step in clip space from the center of a box to the middle of a side.
__device__ inline ClipPoint toClipEdge(const StreetCamera& camera, const StreetMatrix& matrix, int axis, float extent) {
  const float x = matrix.rows[0][axis] * extent;
  const float y = matrix.rows[1][axis] * extent;
  const float z = matrix.rows[2][axis] * extent;
  const float(&rows)[4][4] = camera.rows;
  return {dot(rows[0], x, y, z, 0), dot(rows[1], x, y, z, 0), dot(rows[2], x, y, z, 0), dot(rows[3], x, y, z, 0)};
}

__device__ inline bool touchesFrustum(const Frustum& frustum, const StreetBox& box, const StreetMatrix& matrix) {
  MovedBox moved{};
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column) moved.matrix[row][column] = matrix.rows[row][column];
  for (int axis = 0; axis < 3; ++axis) {
    moved.center[axis] = box.center[axis];
    moved.extents[axis] = box.extents[axis];
  }
  return frustum.touches(moved);
}

// The pixel, from 0 to count - 1, in which a clip coordinate over w lies.
__device__ inline uint32_t pixelOf(float ratio, uint32_t count) {
  const float pixel = (ratio * 0.5f + 0.5f) * static_cast<float>(count);
  return static_cast<uint32_t>(fminf(fmaxf(pixel, 0.0f), static_cast<float>(count - 1)));
}

__device__ inline bool isHidden(const StreetCamera& camera, const Levels& levels, const StreetBox& box,
                                const StreetMatrix& matrix) {
  const auto moved = [&](int row) {
    return dot(matrix.rows[row], box.center[0], box.center[1], box.center[2], matrix.rows[row][3]);
  };
  const ClipPoint center = toClip(camera, moved(0), moved(1), moved(2));
  const ClipPoint edges[3] = {toClipEdge(camera, matrix, 0, box.extents[0]),
                              toClipEdge(camera, matrix, 1, box.extents[1]),
                              toClipEdge(camera, matrix, 2, box.extents[2])};
  float least[2] = {1e30f, 1e30f}, most[2] = {-1e30f, -1e30f}, nearest = 0;
  for (uint32_t corner = 0; corner < 8; ++corner) {
    ClipPoint at = center;
    for (uint32_t axis = 0; axis < 3; ++axis) {
      const float sign = (corner >> axis & 1u) != 0 ? 1.0f : -1.0f;
      at = {at.x + sign * edges[axis].x, at.y + sign * edges[axis].y, at.z + sign * edges[axis].z,
            at.w + sign * edges[axis].w};
    }
    if (at.w < kStreetNear) return false;
    const float inverse = 1.0f / at.w;
    least[0] = fminf(least[0], at.x * inverse);
    most[0] = fmaxf(most[0], at.x * inverse);
    least[1] = fminf(least[1], at.y * inverse);
    most[1] = fmaxf(most[1], at.y * inverse);
    nearest = fmaxf(nearest, at.z * inverse);
  }
  const uint32_t left = pixelOf(least[0], levels.width), right = pixelOf(most[0], levels.width);
  const uint32_t top = pixelOf(least[1], levels.height), bottom = pixelOf(most[1], levels.height);
  const uint32_t size = right - left > bottom - top ? right - left : bottom - top;
  const uint32_t shift = size <= 2 ? 1 : 32 - static_cast<uint32_t>(__clz(static_cast<int>(size - 1)));
  const float* level = levels.texels + levels.starts[shift - 1];
  const uint32_t pitch = levels.widthOf(shift - 1);
  const float upper =
      fminf(level[(top >> shift) * pitch + (left >> shift)], level[(top >> shift) * pitch + (right >> shift)]);
  const float lower =
      fminf(level[(bottom >> shift) * pitch + (left >> shift)], level[(bottom >> shift) * pitch + (right >> shift)]);
  return nearest < fminf(upper, lower);
}

// last: of Early and Late, a word per record that the last frame wrote. next: of Late, the words of this one. Draws hold
// no instances when the kernel begins.
template <CullPass pass>
__global__ void __launch_bounds__(kCullThreads) cullStreet(StreetRecords records, StreetCamera camera, Levels levels,
                                                           const uint32_t* last, uint32_t* next, StreetOutput output) {
  const uint32_t i = literature::threadOfGrid();
  if (i >= records.count) return;
  const bool wasSeen = pass != CullPass::Whole && last[i] != 0;
  if (pass == CullPass::Early && !wasSeen) return;
  const StreetBox box = records.boxes[i];
  const StreetMatrix matrix = records.matrices[i];
  bool isSeen = touchesFrustum(camera.frustum, box, matrix);
  if (pass == CullPass::Late) {
    isSeen = isSeen && !isHidden(camera, levels, box, matrix);
    next[i] = isSeen ? 1 : 0;
    if (wasSeen) return;
  }
  if (!isSeen) return;
  const uint32_t bucket = records.buckets[i];
  DrawCommand& draw = output.draws[bucket];
  output.indices[bucket * output.capacity + atomicAdd(&draw.instanceCount, 1u)] = i;
}

}  // namespace bench
