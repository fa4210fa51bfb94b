// A plan with rejects (SluRejects) consists of two: one keeps records as any plan does, and one lists rejects in its only
// bucket, as if they were what it keeps. Each has a layout of its own.
#pragma once

#include "plan/layout.h"

namespace slu {

constexpr SluFlags kRejectOutputs = SLU_OUTPUT_REJECTS_BIT | SLU_OUTPUT_REJECT_COUNTS_BIT;
constexpr std::uint32_t kAllReasons = (1u << SLU_REJECT_COUNT) - 1u;

// Returns whether the plan has rejects, and whether a frame of it does anything else. layout: of the whole plan.
inline bool hasRejects(const PlanLayout& layout) { return (layout.outputs & kRejectOutputs) != 0; }
inline bool keepsRecords(const PlanLayout& layout) {
  return (layout.outputs & ~kRejectOutputs) != 0 || !layout.streams.empty() || layout.keepsLodStates();
}

// Return the layouts of the part that keeps records, and of the one that lists rejects.
PlanLayout keptLayout(const PlanLayout& layout);
PlanLayout rejectsLayout(const PlanLayout& layout);

// Returns the frame as the part that lists rejects runs it: the list is its indices, and the counts are its bucket counts.
// frame: of the whole plan, which must outlive it.
Frame rejectsFrame(const Frame& frame);

}  // namespace slu
