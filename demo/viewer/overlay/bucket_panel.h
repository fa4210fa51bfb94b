// Draws the part of the overlay about what is kept: the counts of buckets, what each level of detail draws, the room of
// each view, and the draws of groups.
#pragma once

#include <span>

#include "frame/frame_report.h"
#include "viewer/overlay/run_facts.h"

namespace demo {

// counts has one element per bucket. Both draw nothing otherwise.
void showBuckets(const RunFacts& facts, std::span<const SluBucketCount> counts);
void showLods(const RunFacts& facts, std::span<const SluBucketCount> counts);

// Draws a row per view: what it keeps of its room, and its draws.
void showViews(const RunFacts& facts, const FrameReport& frame);
// Draws a row per group of draws and a column per view. drawCounts has one element per view and group; the function draws
// nothing otherwise.
void showGroups(const RunFacts& facts, std::span<const uint32_t> drawCounts);

}  // namespace demo
