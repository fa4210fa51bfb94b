#include "workload/suites.h"

#include <set>

namespace bench {
namespace {

void append(std::vector<Workload>& workloads, const WorkloadLists& lists) {
  const std::vector<Workload> more = product(lists);
  workloads.insert(workloads.end(), more.begin(), more.end());
}

// Sluice promises its speed for these.
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

// A little of everything, in seconds. Every kind has a workload of at most 1 MiB, which also runs without a GPU.
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
  WorkloadLists culled;
  culled.recordBytes = {64};
  culled.recordCounts = {1u << 13, 1u << 18};
  culled.survivalPercents = {30};
  culled.bucketCounts = {64};
  culled.predicates = {Predicate::SphereBeside};
  append(workloads, culled);
  return workloads;
}

const std::vector<double> kSurvivalPercents{0, 0.1, 1, 5, 10, 25, 50, 75, 90, 95, 100};

// The literature's curves: 4-byte records by how many of them are kept.
std::vector<Workload> survival() {
  WorkloadLists lists;
  lists.recordCounts = {1u << 24, 1u << 28};
  lists.survivalPercents = kSurvivalPercents;
  return product(lists);
}

// Wider records by how many of them are kept, 256 MiB of each.
std::vector<Workload> survivalOfRecords() {
  std::vector<Workload> workloads;
  for (const uint32_t recordBytes : {16u, 64u}) {
    WorkloadLists lists;
    lists.recordBytes = {recordBytes};
    lists.recordCounts = {(1u << 28) / recordBytes};
    lists.survivalPercents = kSurvivalPercents;
    append(workloads, lists);
  }
  return workloads;
}

// Powers of two, and the primes below or above some of them.
std::vector<Workload> sizes() {
  WorkloadLists lists;
  lists.recordCounts = {1009, 65537, 1000003, 16777213, 268435399};
  for (uint32_t power = 10; power <= 28; power += 2) lists.recordCounts.push_back(1u << power);
  return product(lists);
}

std::vector<Workload> widths() {
  std::vector<Workload> workloads;
  for (const uint32_t recordBytes : {4u, 8u, 12u, 16u, 32u, 48u, 64u, 96u, 128u}) {
    WorkloadLists lists;
    lists.recordBytes = {recordBytes};
    lists.recordCounts = {(1u << 30) / recordBytes};
    lists.survivalPercents = {1, 10, 50, 90, 100};
    append(workloads, lists);
  }
  return workloads;
}

std::vector<Workload> patterns() {
  WorkloadLists lists;
  lists.recordBytes = {4, 16, 64};
  lists.recordCounts = {1u << 24};
  lists.survivalPercents = {5, 50, 95};
  lists.patterns = {Pattern::Random, Pattern::Clustered, Pattern::Alternating};
  return product(lists);
}

std::vector<Workload> buckets() {
  std::vector<Workload> workloads;
  for (const uint32_t recordBytes : {16u, 64u}) {
    WorkloadLists lists;
    lists.recordBytes = {recordBytes};
    lists.recordCounts = {(1u << 28) / recordBytes};
    lists.bucketCounts = {1, 2, 4, 16, 64, 256, 1024, 4096};
    append(workloads, lists);
  }
  return workloads;
}

// Workloads as a renderer culls them: spheres whose indices are written, and records that are written into one bucket
// or into one per draw. The smallest also run without a GPU.
std::vector<Workload> culling() {
  std::vector<Workload> workloads;
  const auto appendCulled = [&](WorkloadLists lists) {
    for (const uint32_t recordCount : {1u << 13, 1u << 16, 1u << 20, 1u << 22}) {
      lists.recordCounts = {recordCount};
      lists.survivalPercents = {30};
      if (recordCount == 1u << 20) lists.survivalPercents = {5, 30, 100};
      append(workloads, lists);
    }
  };
  WorkloadLists spheres;
  spheres.recordBytes = {kSphereBytes};
  spheres.outputs = {Outputs::Indices};
  spheres.predicates = {Predicate::Sphere};
  appendCulled(spheres);
  WorkloadLists instances;
  instances.recordBytes = {64};
  instances.bucketCounts = {64, 1};
  instances.predicates = {Predicate::SphereBeside};
  appendCulled(instances);
  return workloads;
}

// Several views, and one to compare them with: records that hold spheres, and the indices of records with spheres or
// boxes. The smallest also run without a GPU.
std::vector<Workload> views() {
  std::vector<Workload> workloads;
  WorkloadLists lists;
  lists.survivalPercents = {5};
  lists.viewCounts = {1, 2, 4, 8};
  lists.recordBytes = {64};
  lists.recordCounts = {1u << 22};
  lists.bucketCounts = {1, 64};
  lists.outputs = {Outputs::Indices, Outputs::Records};
  lists.predicates = {Predicate::Sphere};
  append(workloads, lists);
  lists.recordCounts = {1u << 20, 1u << 22};
  lists.bucketCounts = {1};
  lists.outputs = {Outputs::Indices};
  lists.predicates = {Predicate::SphereBeside, Predicate::BoxBeside};
  append(workloads, lists);
  lists.recordBytes = {kSphereBytes};
  lists.recordCounts = {1u << 16, 1u << 20};
  lists.predicates = {Predicate::Sphere};
  append(workloads, lists);
  return workloads;
}

// Routes differ by these: words by survival, records by width, and buckets, from 64 to 256 MiB.
std::vector<Workload> routes() {
  constexpr uint32_t kInputBytes = 1u << 28;
  std::vector<Workload> workloads;
  WorkloadLists narrow;
  narrow.recordCounts = {1u << 24};
  narrow.survivalPercents = {1, 5, 25, 50, 75, 95, 100};
  append(workloads, narrow);
  for (const uint32_t recordBytes : {8u, 12u, 16u, 32u, 48u, 64u, 96u, 128u}) {
    WorkloadLists wide;
    wide.recordBytes = {recordBytes};
    wide.recordCounts = {kInputBytes / recordBytes};
    wide.survivalPercents = {10, 50, 100};
    append(workloads, wide);
  }
  WorkloadLists bucketed;
  bucketed.recordBytes = {16};
  bucketed.recordCounts = {kInputBytes / 16};
  bucketed.bucketCounts = {4, 64, 1024};
  append(workloads, bucketed);
  return workloads;
}

// A renderer's draws: where buckets lie, and what draws them. 64 buckets are the meshes of a scene, and 4,096 those of
// 1,024 meshes with four LODs. The smallest also run without a GPU.
std::vector<Workload> placements() {
  std::vector<Workload> workloads;
  WorkloadLists lists;
  lists.recordBytes = {64};
  lists.survivalPercents = {30};
  lists.outputs = {Outputs::Indices, Outputs::Records};
  for (const uint32_t recordCount : {1u << 13, 1u << 20}) {
    lists.recordCounts = {recordCount};
    lists.bucketCounts = {64};
    if (recordCount == 1u << 20) lists.bucketCounts.push_back(4096);
    lists.placements = {Placement::Reserved, Placement::Packed};
    append(workloads, lists);
    lists.bucketCounts = {64};
    WorkloadLists grouped = lists;
    grouped.placements = {Placement::Reserved};
    grouped.groupCounts = {8};
    append(workloads, grouped);
    WorkloadLists merged = lists;
    merged.outputs = {Outputs::Indices};
    merged.placements = {Placement::Merged};
    append(workloads, merged);
  }
  return workloads;
}

std::vector<Workload> full();

struct Suite {
  const char* name;
  std::vector<Workload> (*make)();
};
constexpr Suite kSuites[] = {
    {"targets", targets}, {"quick", quick},   {"survival", survival}, {"survival-records", survivalOfRecords},
    {"sizes", sizes},     {"widths", widths}, {"patterns", patterns}, {"buckets", buckets},
    {"culling", culling}, {"views", views},   {"routes", routes},     {"placements", placements},
    {"full", full}};

// The workloads of all other suites, each once.
std::vector<Workload> full() {
  std::vector<Workload> workloads;
  std::set<std::string> names;
  for (const Suite& suite : kSuites) {
    if (suite.make == full) continue;
    for (const Workload& workload : suite.make())
      if (names.insert(describe(workload)).second) workloads.push_back(workload);
  }
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
              for (const Predicate predicate : lists.predicates)
                for (const double survivalPercent : lists.survivalPercents)
                  for (const uint32_t viewCount : lists.viewCounts)
                    for (const Placement placement : lists.placements)
                      for (const uint32_t groupCount : lists.groupCounts)
                        workloads.push_back({recordBytes, recordCount, survivalPercent, pattern, bucketCount, order,
                                             outputs, predicate, viewCount, placement, groupCount});
  return workloads;
}

std::optional<std::vector<Workload>> suite(const std::string& name) {
  for (const Suite& suite : kSuites)
    if (name == suite.name) return suite.make();
  return std::nullopt;
}

std::vector<std::string> suiteNames() {
  std::vector<std::string> names;
  for (const Suite& suite : kSuites) names.emplace_back(suite.name);
  return names;
}

}  // namespace bench
