// The report for programs.
#pragma once

#include <string>

#include "arena/results.h"
#include "program/options.h"

namespace bench {

// date: as ISO 8601 has it.
std::string jsonReport(const RunResult& run, const Options& options, const std::string& date);

}  // namespace bench
