// The report for spreadsheets and plots.
#pragma once

#include <string>

#include "results.h"

namespace bench {

// A line of column names, then a line per workload and competitor. A field without a value is empty.
std::string csvReport(const RunResult& run);

}  // namespace bench
