// The times of frames by their names, and the middle of many.
#pragma once

#include <functional>

#include "frame/frame_report.h"

namespace demo {

// In microseconds; nothing where the route has no such time.
struct FrameTime {
  const char* name;
  std::function<std::optional<double>(const FrameReport&)> in;

  // Of the frames that have it.
  std::vector<double> all(const std::vector<FrameReport>& frames) const;
};

std::vector<FrameTime> gpuTimes();
std::vector<FrameTime> hostTimes();

// fraction: 0 to 1; between two values, weighted linearly. values: at least one.
double percentile(std::vector<double> values, double fraction);

}  // namespace demo
