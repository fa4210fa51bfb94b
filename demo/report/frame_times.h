// Names the times of a frame, and computes medians of many frames.
#pragma once

#include <functional>

#include "frame/frame_report.h"

namespace demo {

// A time of a frame in microseconds. Some routes do not have it.
struct FrameTime {
  const char* name;
  std::function<std::optional<double>(const FrameReport&)> in;

  // Returns the times of those frames that have it.
  std::vector<double> all(const std::vector<FrameReport>& frames) const;
};

std::vector<FrameTime> gpuTimes();
std::vector<FrameTime> hostTimes();

// fraction is 0 to 1. Between two values it interpolates linearly. There must be at least one value.
double percentile(std::vector<double> values, double fraction);

}  // namespace demo
