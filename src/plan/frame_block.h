// Fills the block of values that the kernels of every GPU route read, from a plan and a frame.
#pragma once

#include "plan/layout.h"
#include "shaders/shared/frame.h"

namespace slu {

// Fills the values that no frame changes, except maxTiles and the addresses of buckets and scratch, which the route sets.
void fillPlanPart(PlanPart& part, const PlanLayout& layout);

// Returns the values that the frame brings, except its views. records is the address of the frame's records, or of
// their copy if the plan is in-place.
FramePart makeFramePart(const PlanLayout& layout, const Frame& frame, std::uint64_t records);

// Returns the most chunks into which a stable frame that counts, scans and scatters divides its tiles.
std::uint32_t maxChunkCount(const PlanLayout& layout, std::uint32_t tileRecords);

// Returns about how many bytes a view of the frame reads of its records.
std::uint64_t bytesOfView(const PlanLayout& layout, const Frame& frame);

constexpr std::uint32_t divideUp(std::uint32_t value, std::uint32_t divisor) {
  return value / divisor + (value % divisor != 0);
}

}  // namespace slu
