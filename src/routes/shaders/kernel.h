// The kernels that are written in GLSL.
#pragma once

#include <cstdint>

namespace slu {

enum class Kernel : std::uint32_t {
  compact,
  ordered,
  persistent,
  sorted,
  count,
  countViews,
  scan,
  publish,
  emit,
  gather
};
constexpr std::uint32_t kKernelCount = 10;

// "compact".
const char* kernelName(Kernel kernel);

}  // namespace slu
