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
  gather,
  sparseRank,
  sparseSums,
  sparsePublish,
  sparsePlaces,
  sparseEmit,
  findVisible
};
constexpr std::uint32_t kKernelCount = 16;

// "compact".
const char* kernelName(Kernel kernel);

}  // namespace slu
