// The report for programs.
#pragma once

#include <string>

#include "arena/results.h"

namespace bench {

// date: as ISO 8601 has it.
std::string jsonReport(const RunResult& run, const std::string& date);

}  // namespace bench
