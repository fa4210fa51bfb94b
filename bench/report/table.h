// The report for people: a table on stdout, line by line as results come in.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "arena/results.h"

namespace bench {

// Of the column that names the workloads.
int nameWidth(const std::vector<Workload>& workloads);

// Where and how the run measures, what it skips, and the names of the table's columns.
std::string tableHeader(const RunResult& run, int nameWidth);

// A line per competitor: its numbers, or why there are none. For an arena that refuses the workload as a whole a single
// line, unless `said` has its reason, which is added.
std::string tableLines(const WorkloadResult& result, int nameWidth, std::set<std::string>& said);

// Of what was asked for, so that none means that it was skipped.
std::string reductionLines(const std::vector<ReductionResult>& reductions);

std::string hostCostLines(const std::vector<HostCost>& costs);

std::string handoffLines(const std::vector<HandoffResult>& handoffs);

}  // namespace bench
