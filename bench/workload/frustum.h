// The camera of workloads that cull, the same for every competitor: a frustum of 90 degrees along z, from 1 to 100.
#pragma once

#include "base/host_device.h"

namespace bench {

struct alignas(16) Sphere {
  float x, y, z, radius;
};

struct Frustum {
  float planes[6][4];  // unit normals that point inwards, and distances

  BENCH_HOST_DEVICE bool touches(const Sphere& sphere) const {
    for (const float(&plane)[4] : planes) {
      if (plane[0] * sphere.x + plane[1] * sphere.y + plane[2] * sphere.z + plane[3] < -sphere.radius) return false;
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
