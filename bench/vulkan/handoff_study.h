// Measures what it costs a renderer to run its compaction on another queue than the one that draws, and how much of
// that a frame of latency hides.
#pragma once

#include <string>
#include <vector>

#include "arena/results.h"
#include "arena/trial_settings.h"

namespace bench {

// Measures frames of a renderer on a queue that draws. A frame writes the number of live records, culls a million
// instances with spheres beside them into 64 buckets (8,192 without a GPU), and runs 300 us of arithmetic in the place
// of draws. Every frame has another number of live records. Its draw commands are compared with the reference, as are
// the records of the last two frames of a unit. The first result is of frames without compaction, which still copy draw
// commands. The last results are of hand-offs alone, which leave nothing to compare.
std::vector<HandoffResult> studyHandoffs(const std::string& deviceSelection, const TrialSettings& settings);

}  // namespace bench
