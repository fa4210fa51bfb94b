// From what the host hands over each frame to what the routes run. Nothing here allocates unless it fails.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"

namespace slu {

// Bytes that each output needs, 0 for those the plan does not write.
struct OutputBytes {
  std::uint64_t indices, keptRecords, draws, drawCounts, statistics, bucketCounts;
};
OutputBytes outputBytes(const PlanLayout& layout, std::uint32_t viewCount);

// Of a view without faults.
ViewBlock makeViewBlock(const SluView& view, std::uint32_t lodCount);

// Checks every field but sType and structSize; the sentence of a failure begins with the field.
void checkFrame(const SluFrameInfo& info, const SluPlan_T& plan, Frame& frame);

}  // namespace slu
