#include "report/frame_times.h"

#include <algorithm>

namespace demo {

std::vector<double> FrameTime::all(const std::vector<FrameReport>& frames) const {
  std::vector<double> values;
  for (const FrameReport& frame : frames)
    if (const std::optional<double> value = in(frame)) values.push_back(*value);
  return values;
}

std::vector<FrameTime> gpuTimes() {
  std::vector<FrameTime> times;
  for (size_t stage = 0; stage < kStageCount; ++stage)
    times.push_back({stageName(static_cast<Stage>(stage)),
                     [stage](const FrameReport& frame) { return frame.gpuMicroseconds[stage]; }});
  return times;
}

std::vector<FrameTime> hostTimes() {
  std::vector<FrameTime> times = {
      {"frame", [](const FrameReport& frame) { return std::optional(frame.hostMicroseconds); }},
      {"compact", [](const FrameReport& frame) { return frame.hostCompactMicroseconds; }}};
  for (const HandOffCall& call : kHandOffCalls)
    times.push_back({call.name, [&call](const FrameReport& frame) { return call.timeIn(frame); }});
  return times;
}

double percentile(std::vector<double> values, double fraction) {
  std::sort(values.begin(), values.end());
  const double place = fraction * static_cast<double>(values.size() - 1);
  const auto low = static_cast<size_t>(place);
  const size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (place - static_cast<double>(low));
}

}  // namespace demo
