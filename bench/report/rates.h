// A competitor's speed, and how it compares.
#pragma once

#include "arena/results.h"

namespace bench {

struct Rates {
  Summary microseconds;
  uint64_t bytes;                    // compulsory ones; of a copy all that it reads and writes
  double gigabytesPerSecond;         // 10^9 bytes
  std::optional<double> ofCopy;      // the rate as a part of the arena's fastest copy's
  std::optional<double> ofBaseline;  // the baseline's time, of whatever arena, as a multiple of this one's
};

// Returns the rates of a competitor that was measured.
Rates ratesOf(const WorkloadResult& result, const CompetitorResult& competitor);

// Returns the time of a competitor that was measured with several views, as a multiple of its time with one. Nothing
// where the run did not measure the same workload with one view.
std::optional<double> timesOfOneView(const RunResult& run, const WorkloadResult& result,
                                     const CompetitorResult& competitor);

}  // namespace bench
