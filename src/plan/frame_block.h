// The block of values that the kernels of every GPU route read, filled from a plan and a frame.
#pragma once

#include "plan/layout.h"
#include "shaders/shared/frame.h"

namespace slu {

// What no frame changes, scratch addresses excepted.
void fillPlanPart(PlanPart& part, const PlanLayout& layout);

// What the frame brings beside its views. records: its own, or where an in-place plan copies them.
FramePart makeFramePart(const PlanLayout& layout, const Frame& frame, std::uint64_t records);

// Stable frames that count, scan and scatter divide their tiles into this many chunks at most.
std::uint32_t maxChunkCount(const PlanLayout& layout, std::uint32_t tileRecords);

constexpr std::uint32_t divideUp(std::uint32_t value, std::uint32_t divisor) {
  return value / divisor + (value % divisor != 0);
}

}  // namespace slu
