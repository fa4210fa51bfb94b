// The bounds of workloads that cull, and their camera, the same for every competitor: a frustum of 90 degrees along z,
// from 1 to 100.
#pragma once

#include <cmath>

#include "base/host_device.h"

namespace bench {

struct alignas(16) Sphere {
  float x, y, z, radius;
};

// A box by its center and its extents, and the matrix that moves it into the world.
struct alignas(16) MovedBox {
  float matrix[3][4];  // rows; the fourth column is the translation
  float center[3];
  float extents[3];  // from the center to a side
  float zeros[2];
};

struct Frustum {
  float planes[6][4];  // unit normals that point inwards, and distances

  BENCH_HOST_DEVICE bool touches(const Sphere& sphere) const {
    for (const float(&plane)[4] : planes) {
      if (plane[0] * sphere.x + plane[1] * sphere.y + plane[2] * sphere.z + plane[3] < -sphere.radius) return false;
    }
    return true;
  }

  // Tests the smallest box along the axes around the moved one, so a box may pass that is just outside.
  BENCH_HOST_DEVICE bool touches(const MovedBox& box) const {
    float center[3];
    float extents[3];
    for (int axis = 0; axis < 3; ++axis) {
      const float(&row)[4] = box.matrix[axis];
      center[axis] = row[0] * box.center[0] + row[1] * box.center[1] + row[2] * box.center[2] + row[3];
      extents[axis] = fabsf(row[0]) * box.extents[0] + fabsf(row[1]) * box.extents[1] + fabsf(row[2]) * box.extents[2];
    }
    for (const float(&plane)[4] : planes) {
      const float reach = fabsf(plane[0]) * extents[0] + fabsf(plane[1]) * extents[1] + fabsf(plane[2]) * extents[2];
      if (plane[0] * center[0] + plane[1] * center[1] + plane[2] * center[2] + plane[3] < -reach) return false;
    }
    return true;
  }
};

constexpr float kHalfRoot = 0.70710678f;
constexpr Frustum kFrustum = {{{kHalfRoot, 0, kHalfRoot, 0},
                               {-kHalfRoot, 0, kHalfRoot, 0},
                               {0, kHalfRoot, kHalfRoot, 0},
                               {0, -kHalfRoot, kHalfRoot, 0},
                               {0, 0, 1, -1},
                               {0, 0, -1, 100}}};

}  // namespace bench
