// From which sizes on plans and frames have other kernels.
#pragma once

#include <cstdint>

#include "shaders/shared/frame.h"

namespace slu {

struct RouteLimits {
  // How often a workgroup of a stable frame with one bucket asks for what another is to tell before it finds out by
  // itself: about 3 ms, when it would have to be told within microseconds. On a CPU SLU_CPU_PATIENCE at most. 1:
  // workgroups come in the worst order, too.
  std::uint32_t patience = 4096;
  // Stable plans with one bucket and more tiles are for the persistent kernel.
  std::uint32_t lookBackTiles = SLU_LOOK_BACK_TILES;
  // Frames read records once for all views if each would read at least so many bytes. On an H200 2^20 spheres of 16
  // bytes take 42 us in eight views one by one, from the second-level cache, and 52 us at once; in records of 64 bytes
  // 122 and 62 us.
  std::uint64_t readOnceFrom = 1u << 25;
};

// The library's. A test links others.
RouteLimits routeLimits();

}  // namespace slu
