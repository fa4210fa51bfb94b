#include "suites.h"

namespace bench {
namespace {

void append(std::vector<Workload>& workloads, const WorkloadLists& lists) {
  const std::vector<Workload> more = product(lists);
  workloads.insert(workloads.end(), more.begin(), more.end());
}

// What Sluice promises its speed for.
std::vector<Workload> targets() {
  constexpr uint64_t kWideInputBytes = uint64_t{1} << 30;
  std::vector<Workload> workloads;
  WorkloadLists narrow;
  narrow.recordCounts = {1u << 26, 1u << 28};
  narrow.survivalPercents = {0, 1, 5, 25, 50, 75, 95, 100};
  append(workloads, narrow);
  for (const uint32_t recordBytes : {16u, 32u, 64u, 128u}) {
    WorkloadLists wide;
    wide.recordBytes = {recordBytes};
    wide.recordCounts = {static_cast<uint32_t>(kWideInputBytes / recordBytes)};
    wide.survivalPercents = {1, 10, 50, 90, 100};
    append(workloads, wide);
  }
  WorkloadLists small;
  small.recordCounts = {1u << 16, 1u << 20};
  append(workloads, small);
  WorkloadLists bucketed;
  bucketed.recordBytes = {16};
  bucketed.recordCounts = {1u << 24};
  bucketed.bucketCounts = {1, 64, 1024, 4096};
  append(workloads, bucketed);
  return workloads;
}

// A little of everything, in seconds; of every kind one of 1 MiB or less, which runs without a GPU, too.
std::vector<Workload> quick() {
  std::vector<Workload> workloads;
  WorkloadLists narrow;
  narrow.recordCounts = {1u << 18, 1000003, 1u << 24};
  append(workloads, narrow);
  WorkloadLists patterns;
  patterns.recordCounts = {1u << 18};
  patterns.patterns = {Pattern::Clustered, Pattern::Alternating};
  append(workloads, patterns);
  WorkloadLists wide;
  wide.recordBytes = {64};
  wide.recordCounts = {1u << 14, 1u << 18};
  wide.outputs = {Outputs::Records, Outputs::Indices};
  append(workloads, wide);
  WorkloadLists bucketed;
  bucketed.recordBytes = {16};
  bucketed.recordCounts = {1u << 16, 1u << 18};
  bucketed.bucketCounts = {64};
  append(workloads, bucketed);
  return workloads;
}

}  // namespace

std::vector<Workload> product(const WorkloadLists& lists) {
  std::vector<Workload> workloads;
  for (const uint32_t recordBytes : lists.recordBytes)
    for (const uint32_t recordCount : lists.recordCounts)
      for (const uint32_t bucketCount : lists.bucketCounts)
        for (const Outputs outputs : lists.outputs)
          for (const Pattern pattern : lists.patterns)
            for (const Order order : lists.orders)
              for (const double survivalPercent : lists.survivalPercents)
                workloads.push_back({recordBytes, recordCount, survivalPercent, pattern, bucketCount, order, outputs});
  return workloads;
}

std::optional<std::vector<Workload>> suite(const std::string& name) {
  if (name == "targets") return targets();
  if (name == "quick") return quick();
  return std::nullopt;
}

std::vector<std::string> suiteNames() { return {"targets", "quick"}; }

}  // namespace bench
