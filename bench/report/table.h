// The report for people: a table on stdout, line by line as results come in.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "arena/results.h"

namespace bench {

// The width of the column that names the workloads.
int nameWidth(const std::vector<Workload>& workloads);

// Returns the lines above the rows: where and how the run measures, what it skips, and the names of the columns.
std::string tableHeader(const RunResult& run, int nameWidth);

// A line per competitor: its numbers, or why it has none. An arena that refuses the workload has one line, unless said
// holds the reason already. Adds the reason to said.
std::string tableLines(const WorkloadResult& result, int nameWidth, std::set<std::string>& said);

// A line per competitor and workload of several views that was also measured with one view.
std::string viewLines(const RunResult& run);

// Called when reductions were asked for: an empty list means that they were skipped.
std::string reductionLines(const std::vector<ReductionResult>& reductions);

// Called when occlusion was asked for: an empty list means that it was skipped.
std::string occlusionLines(const std::vector<OcclusionResult>& occlusions);

std::string hostCostLines(const std::vector<HostCost>& costs);

std::string handoffLines(const std::vector<HandoffResult>& handoffs);

}  // namespace bench
