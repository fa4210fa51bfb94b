// Reports a run: lines for a person, JSON for a program.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "frame/frame_report.h"
#include "options/options.h"

namespace demo {

struct RunReport {
  std::string device;
  std::string scene;
  SluRoute route = SLU_ROUTE_AUTO;
  std::string routeReason;  // why better routes were not taken
  uint32_t bucketCount = 0;
  uint64_t capacity = 0;      // of all buckets
  uint32_t clusterCount = 0;  // 0: records are no clusters
  bool isPacked = false;
  bool drawsMeshTasks = false;
  std::vector<const char*> groups;  // of draws; empty: the plan has none
  SluFlags tests = 0;               // that drop instances
  OcclusionMode occlusion = OcclusionMode::Off;
  uint64_t scratchBytes = 0;
  std::vector<const char*> comparisons;  // with which each frame was the same picture
  std::vector<FrameReport> frames;
};

const char* orderName(SluOrder order);

// Opens the file of an option. Throws Failure (Cause::BadInput) when that fails.
std::ofstream openResults(const char* option, const std::filesystem::path& file);
void writeStats(std::ofstream& stream, const Options& options, const RunReport& report);

// Prints the medians of what was timed.
void printTimes(const std::vector<FrameReport>& frames);

void printHeader(const RunReport& report, const Options& options);
void printSummary(const RunReport& report, const Options& options);
// recentFrames are the last of all frames.
void printWindowSummary(uint64_t frameCount, const std::vector<FrameReport>& recentFrames);

// Prints the first differences to stderr, and returns the number of frames that differ.
uint32_t printDifferences(const RunReport& report);

}  // namespace demo
