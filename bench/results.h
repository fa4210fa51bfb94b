// What a run finds out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "role.h"
#include "summary.h"
#include "traffic.h"
#include "workload.h"

namespace bench {

enum class Status {
  Measured,
  Refused,  // it cannot run the workload
  Wrong,    // its output is wrong; nothing is measured
};

struct PhaseResult {
  std::string name;
  double microseconds = 0;
};

struct CompetitorResult {
  std::string competitor;
  Role role = Role::Candidate;
  Status status = Status::Measured;
  std::string reason;  // of a status other than Measured
  uint32_t framesPerSample = 0;
  std::vector<double> samples;        // microseconds per frame, in the order in which they were taken
  std::vector<PhaseResult> phases{};  // of a frame that has several
};

// How the inputs lie to the L2 cache.
enum class Residence {
  Warm,    // small and used again at once
  Cold,    // small, but out of the cache when their turn comes
  Memory,  // several times the cache
};
const char* name(Residence residence);

struct WorkloadResult {
  Workload workload;
  uint64_t keptCount = 0;
  uint32_t setCount = 0;
  Residence residence = Residence::Warm;
  std::string refusal;  // why nothing ran at all; empty when something did
  std::vector<CompetitorResult> competitors;
};

struct GpuDescription {
  std::string name;
  std::string computeCapability;
  uint32_t multiprocessorCount = 0;
  uint64_t cacheBytes = 0;  // L2
  uint64_t memoryBytes = 0;
  uint32_t coreClockMHz = 0;  // the highest, as the driver reports them
  uint32_t memoryClockMHz = 0;
  std::string driver;       // of the kernel; empty where it cannot be read
  uint32_t cudaDriver = 0;  // 1000 * major + 10 * minor
  uint32_t cudaRuntime = 0;
};

struct HostCost {
  uint32_t callCount = 0;
  double microsecondsPerCall = 0;
};

struct RunResult {
  GpuDescription gpu;
  std::vector<WorkloadResult> workloads;
  std::optional<HostCost> hostCost;
};

}  // namespace bench
