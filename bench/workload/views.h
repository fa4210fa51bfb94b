// The views of workloads that cull: which records each of them keeps, and its frustum.
//
// A record has a phase, a number below 2^32. A view keeps the records whose phases lie in its window. All windows are
// as long as the survival asks. The first one begins at 0, the last one ends at 2^32, and the others begin at equal
// distances between. So either no two windows overlap, or together they hold all phases.
//
// All views have the same camera. Their frusta differ in the left and in the right plane: each is a part of kFrustum.
// The begins and ends of the windows are the edges between cells, which are equally wide on screen.
#pragma once

#include <cmath>
#include <cstdint>

#include "workload/frustum.h"
#include "workload/workload.h"

namespace bench {

struct ViewWindows {
  uint32_t viewCount;
  uint64_t length;  // survival times 2^32
  uint64_t step;    // from the begin of a window to that of the next one

  BENCH_HOST_DEVICE uint64_t begin(uint32_t view) const { return view * step; }
  BENCH_HOST_DEVICE bool holds(uint32_t view, uint32_t phase) const {
    return phase >= begin(view) && phase - begin(view) < length;
  }
  BENCH_HOST_DEVICE bool anyHolds(uint32_t phase) const {
    for (uint32_t view = 0; view < viewCount; ++view) {
      if (holds(view, phase)) return true;
    }
    return false;
  }

  // Returns how many begins and ends are at most at the position, which is the number of the cell that begins there.
  BENCH_HOST_DEVICE uint32_t cell(uint64_t position) const {
    uint32_t edges = 0;
    for (uint32_t view = 0; view < viewCount; ++view) {
      edges += begin(view) <= position ? 1 : 0;
      edges += begin(view) + length <= position ? 1 : 0;
    }
    return edges;
  }

  // The cells from 1 to 2 * viewCount - 1 lie between the sides of kFrustum. Both are parts of its half width.
  BENCH_HOST_DEVICE float cellHalfWidth() const { return 1.0f / static_cast<float>(2 * viewCount - 1); }
  BENCH_HOST_DEVICE float cellMiddle(uint32_t cell) const {
    return (2.0f * static_cast<float>(cell) - 2.0f * static_cast<float>(viewCount)) * cellHalfWidth();
  }
};

inline ViewWindows viewWindows(const Workload& workload) {
  constexpr uint64_t kPhases = uint64_t{1} << 32;
  ViewWindows windows{};
  windows.viewCount = workload.viewCount;
  windows.length = static_cast<uint64_t>(std::llround(workload.survivalPercent / 100.0 * 0x1p32));
  // Rounded up, so that the last window leaves out no phase.
  if (workload.viewCount > 1)
    windows.step = (kPhases - windows.length + workload.viewCount - 2) / (workload.viewCount - 1);
  return windows;
}

inline Frustum viewFrustum(const Workload& workload, uint32_t view) {
  Frustum frustum = kFrustum;
  if (workload.viewCount == 1) return frustum;
  const ViewWindows windows = viewWindows(workload);
  const auto setSide = [&](uint32_t plane, uint64_t edge, float inwards) {
    const float slope = windows.cellMiddle(windows.cell(edge)) - windows.cellHalfWidth();
    const float scale = inwards / std::sqrt(1.0f + slope * slope);
    frustum.planes[plane][0] = scale;
    frustum.planes[plane][2] = -scale * slope;
  };
  setSide(0, windows.begin(view), 1.0f);
  setSide(1, windows.begin(view) + windows.length, -1.0f);
  return frustum;
}

}  // namespace bench
