// The time of each part of a frame, for competitors that have several.
#pragma once

#include "arena/results.h"
#include "cuda/competitor.h"

namespace bench {

// Medians over frames that take turns among the sets; nothing for a competitor without phases. Events lie between the
// phases, so that together they take longer than a frame.
std::vector<PhaseResult> timePhases(PreparedCompetitor& competitor, cudaStream_t stream, uint32_t setCount);

}  // namespace bench
