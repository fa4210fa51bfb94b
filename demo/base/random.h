// Makes random numbers that are the same on every machine. Do not use two of them as arguments of one call: compilers
// differ in which argument they evaluate first.
#pragma once

#include "shaders/shared.h"

namespace demo {

class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed) {}
  uint32_t bits() { return hash(state_ += 0x9e3779b9u); }
  // Returns 0 to count - 1.
  uint32_t below(uint32_t count) { return bits() % count; }
  float unit() { return static_cast<float>(bits() >> 8) * (1.0f / 16777216.0f); }
  float range(float low, float high) { return low + (high - low) * unit(); }
  // The distribution is about normal, with standard deviation 1 and at most 3.5 (Irwin-Hall of 4).
  float normal() {
    float sum = 0.0f;
    for (int i = 0; i < 4; ++i) sum += unit();
    return (sum - 2.0f) * 1.7320508f;
  }

 private:
  uint32_t state_;
};

}  // namespace demo
