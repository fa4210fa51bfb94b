// Computes how many bytes a frame's bindings need.
#pragma once

#include "plan/layout.h"

namespace slu {

// A member is 0 if the plan does not write that output.
struct OutputBytes {
  std::uint64_t indices, keptRecords, draws, drawCounts, statistics, bucketCounts;
};
OutputBytes outputBytes(const PlanLayout& layout, std::uint32_t viewCount);

// A part of a transform: where its offset is said, and how many bytes lie there.
struct TransformPart {
  SluFlags bits;
  std::uint32_t SluBounds::*offset;
  std::uint32_t bytes;
  const char* field;
};
std::array<TransformPart, 4> transformParts(const SluBounds& bounds);

std::uint64_t boundsBytes(const PlanLayout& layout, std::uint32_t recordCount);
std::uint64_t transformBytes(const PlanLayout& layout, std::uint32_t recordCount);
std::uint64_t flagBytes(SluLiveTest test, std::uint64_t recordCount);

}  // namespace slu
