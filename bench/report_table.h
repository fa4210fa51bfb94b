// The report for people: a table on stdout, line by line as results come in.
#pragma once

#include <string>

#include "options.h"
#include "results.h"

namespace bench {

// Of the column that names the workloads.
int nameWidth(const std::vector<Workload>& workloads);

// What is measured how, above the table.
std::string tableHeader(const GpuDescription& gpu, const Options& options);

// A line per competitor: its numbers, or why there are none.
std::string tableLines(const WorkloadResult& result, int nameWidth);

std::string hostCostLine(const HostCost& cost);

}  // namespace bench
