// Floats that no camera and no sphere should hold.
#pragma once

#include <limits>

namespace slu::test {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

}  // namespace slu::test
