// Writes the results of --benchmark: the JSON of `sluice-bench --json`, with routes in place of competitors.
#pragma once

#include <fstream>

#include "frame/compaction.h"
#include "frame/frame_report.h"
#include "options/options.h"

namespace demo {

enum class RouteStatus {
  Measured,
  Refused,  // the machine or the build lacks the route
  Wrong,    // its output is wrong
};

struct RouteResult {
  SluRoute route;
  RouteStatus status = RouteStatus::Refused;
  std::string reason;  // of a status other than Measured
  std::vector<FrameReport> frames = {};
};

// Describes what the routes were given.
struct BenchmarkWorkload {
  SluOrder order;
  uint32_t recordBytes = 0, recordCount = 0, bucketCount = 0;
  const char* outputs = "";
  std::vector<RouteResult> routes = {};
};

struct BenchmarkDevice {
  std::string name;
  std::string driver;  // its version
  bool isCpu = false;
};

void writeBenchmark(std::ofstream& stream, const Options& options, const BenchmarkDevice& device,
                    const std::vector<BenchmarkWorkload>& workloads);

}  // namespace demo
