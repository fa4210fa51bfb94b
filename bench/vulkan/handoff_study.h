// What it costs a renderer that its compaction runs elsewhere than on the queue that draws, and what a frame of latency
// hides of it.
#pragma once

#include <string>
#include <vector>

#include "arena/results.h"
#include "arena/trial_settings.h"

namespace bench {

// Frames of a renderer on a device with a queue that draws: the number of live records is written, a million instances
// with spheres beside them are culled into 64 buckets (8,192 without a GPU), and 300 us of arithmetic stand for the
// draws. Every frame has another number of live records, and its draw commands are compared with the reference, as are
// the records that the last two frames of a unit compacted. The
// first result is of frames without compaction, which copy draw commands all the same, and the last are of hand-offs
// with nothing before, between and behind them: of these there is nothing to compare.
std::vector<HandoffResult> studyHandoffs(const std::string& deviceSelection, const TrialSettings& settings);

}  // namespace bench
