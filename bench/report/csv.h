// The report for spreadsheets and plots.
#pragma once

#include <string>

#include "arena/results.h"

namespace bench {

// A line of column names, then a line per workload and competitor. A field without a value is empty. The residence in
// the L2 cache and the mode are those of the CUDA arena.
std::string csvReport(const RunResult& run);

}  // namespace bench
