// Finds how many frames make a sample that a clock can resolve.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bench {

// unitMicroseconds(n): how long a unit of n frames takes; 0 when the clock did not advance. Units grow until one is
// long enough or has kMost frames.
template <typename UnitMicroseconds>
uint32_t framesPerSample(const UnitMicroseconds& unitMicroseconds) {
  constexpr double kLongEnough = 2000.0;
  constexpr uint32_t kMost = 1000;
  constexpr uint32_t kGrowth = 16;  // at most, from unit to unit: the first ones are slow
  uint32_t frames = 1;
  for (;;) {
    const double elapsed = unitMicroseconds(frames);
    if (elapsed >= kLongEnough || frames == kMost) return frames;
    const double wanted = elapsed > 0 ? std::ceil(frames * kLongEnough * 1.1 / elapsed) : kMost;
    const double next = std::clamp(wanted, frames + 1.0, static_cast<double>(frames) * kGrowth);
    frames = static_cast<uint32_t>(std::min(next, static_cast<double>(kMost)));
  }
}

}  // namespace bench
