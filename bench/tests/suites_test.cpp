#include "workload/suites.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>

#include "arena/input_limit.h"
#include "base/failure.h"

namespace bench {
namespace {

TEST(Suites, HoldDistinctPossibleWorkloads) {
  for (const std::string& name : suiteNames()) {
    const auto workloads = suite(name);
    ASSERT_TRUE(workloads) << name;
    std::set<std::string> names;
    for (const Workload& workload : *workloads) {
      EXPECT_EQ(impossibility(workload), "") << describe(workload);
      EXPECT_TRUE(names.insert(describe(workload)).second) << describe(workload);
    }
  }
  EXPECT_FALSE(suite("nonsense"));
}

// 32 narrow, 40 wide, 4 small and 8 with buckets, the wide ones with 1 GiB of input.
TEST(Suites, TargetsAreComplete) {
  const auto targets = *suite("targets");
  EXPECT_EQ(targets.size(), 84u);
  size_t wide = 0;
  for (const Workload& workload : targets) {
    if (workload.recordBytes == 4 || workload.recordCount == 1u << 24) continue;
    ++wide;
    EXPECT_EQ(workload.inputBytes(), uint64_t{1} << 30) << describe(workload);
  }
  EXPECT_EQ(wide, 30u) << "16, 32 and 128 bytes; 64 bytes have 2^24 records";
}

// Three kinds in both orders: four sizes at 30 %, and two more survivals at one of them. Of each kind one runs without
// a GPU.
TEST(Suites, CullingIsComplete) {
  const auto culling = *suite("culling");
  EXPECT_EQ(culling.size(), 3u * 2 * 6);
  std::map<std::string, uint64_t> smallest;
  for (const Workload& workload : culling) {
    EXPECT_NE(workload.predicate, Predicate::Word) << describe(workload);
    uint64_t& bytes =
        smallest.try_emplace(sentence(name(workload.predicate), workload.bucketCount), UINT64_MAX).first->second;
    bytes = std::min(bytes, workload.inputBytes());
  }
  EXPECT_EQ(smallest.size(), 3u);
  for (const auto& [kind, bytes] : smallest) EXPECT_LE(bytes, kSuiteBytesOnSoftwareDevice) << kind;
}

// The suite has the workloads of the page on culling. A run compares each with 1, 2, 4 and 8 views. One workload also
// runs without a GPU.
TEST(Suites, ViewsAreComplete) {
  const auto views = *suite("views");
  std::map<std::string, std::set<uint32_t>> viewCounts;
  std::set<std::string> names;
  uint64_t smallest = UINT64_MAX;
  for (Workload workload : views) {
    EXPECT_EQ(workload.survivalPercent, 5) << describe(workload);
    names.insert(describe(workload));
    smallest = std::min(smallest, workload.inputBytes());
    const uint32_t viewCount = workload.viewCount;
    workload.viewCount = 1;
    viewCounts[describe(workload)].insert(viewCount);
  }
  for (const auto& [name, counts] : viewCounts) EXPECT_EQ(counts, (std::set<uint32_t>{1, 2, 4, 8})) << name;
  EXPECT_LE(smallest, kSuiteBytesOnSoftwareDevice);
  const std::pair<const char*, const char*> kinds[] = {{"64 B x 2^22", "indices, sphere"},
                                                       {"64 B x 2^22", "64 buckets, indices, sphere"},
                                                       {"64 B x 2^22", "sphere"},
                                                       {"64 B x 2^22", "64 buckets, sphere"},
                                                       {"64 B x 2^22", "indices, box-beside"},
                                                       {"64 B x 2^22", "indices, sphere-beside"},
                                                       {"64 B x 2^20", "indices, box-beside"},
                                                       {"64 B x 2^20", "indices, sphere-beside"},
                                                       {"16 B x 2^20", "indices, sphere"},
                                                       {"16 B x 2^16", "indices, sphere"}};
  for (const auto& [records, rest] : kinds)
    for (const char* order : {"unordered", "stable"})
      EXPECT_EQ(names.count(sentence(records, ", 5 %, ", order, ", ", rest, ", 8 views")), 1u) << records << rest;
  EXPECT_EQ(viewCounts.size(), 2 * std::size(kinds));
}

// Both orders have 7 survivals, 8 widths at 3 survivals, and 3 numbers of buckets; the widths have a fourth number.
TEST(Suites, RoutesAreComplete) {
  const auto routes = *suite("routes");
  EXPECT_EQ(routes.size(), 2u * (7 + 8 * 3 + 3));
  std::map<Order, std::set<double>> survivals;
  std::map<Order, std::set<std::pair<uint32_t, double>>> widths;
  std::map<Order, std::set<uint32_t>> buckets;
  for (const Workload& workload : routes) {
    const uint64_t wanted = workload.recordBytes == 4 ? 1u << 26 : 1u << 28;
    EXPECT_LE(workload.inputBytes(), wanted) << describe(workload);
    EXPECT_GT(workload.inputBytes() + workload.recordBytes, wanted) << describe(workload);
    if (workload.recordBytes == 4)
      survivals[workload.order].insert(workload.survivalPercent);
    else if (workload.bucketCount == 1)
      widths[workload.order].insert({workload.recordBytes, workload.survivalPercent});
    if (workload.recordBytes == 16 && workload.recordCount == 1u << 24 && workload.survivalPercent == 50)
      buckets[workload.order].insert(workload.bucketCount);
  }
  for (const Order order : {Order::Unordered, Order::Stable}) {
    EXPECT_EQ(survivals[order].size(), 7u);
    EXPECT_EQ(widths[order].size(), 8u * 3);
    EXPECT_EQ(buckets[order], (std::set<uint32_t>{1, 4, 64, 1024}));
  }
}

// 256 MiB of records of two sizes in both orders, by the survivals of the words.
TEST(Suites, SurvivalOfRecordsIsComplete) {
  const auto words = *suite("survival"), records = *suite("survival-records");
  std::map<std::pair<uint32_t, Order>, std::set<double>> survivals;
  for (const Workload& workload : words)
    survivals[{workload.recordBytes, workload.order}].insert(workload.survivalPercent);
  for (const Workload& workload : records) {
    EXPECT_EQ(workload.inputBytes(), uint64_t{1} << 28) << describe(workload);
    survivals[{workload.recordBytes, workload.order}].insert(workload.survivalPercent);
  }
  EXPECT_EQ(records.size(), 2u * 2 * 11);
  for (const Order order : {Order::Unordered, Order::Stable})
    for (const uint32_t recordBytes : {16u, 64u})
      EXPECT_EQ((survivals[{recordBytes, order}]), (survivals[{4, order}])) << recordBytes;
}

// 64 buckets in four ways and 4,096 in two, in both orders. Each way also runs without a GPU.
TEST(Suites, PlacementsAreComplete) {
  std::map<std::string, uint64_t> smallest;
  std::set<std::string> large;
  const auto placements = *suite("placements");
  for (Workload workload : placements) {
    EXPECT_EQ(workload.recordBytes, 64u) << describe(workload);
    EXPECT_EQ(workload.survivalPercent, 30) << describe(workload);
    if (workload.recordCount == 1u << 20) large.insert(describe(workload));
    const uint64_t bytes = workload.inputBytes();
    workload.recordCount = 1;
    uint64_t& least = smallest.try_emplace(describe(workload), UINT64_MAX).first->second;
    least = std::min(least, bytes);
  }
  EXPECT_EQ(large.size(), 2u * (2 * 3 + 1 + 2 * 2));
  for (const char* order : {"unordered", "stable"}) {
    for (const char* rest :
         {"64 buckets", "64 buckets, indices", "64 buckets, packed", "64 buckets, indices, packed",
          "64 buckets, 8 groups", "64 buckets, indices, 8 groups", "64 buckets, indices, merged", "4096 buckets",
          "4096 buckets, packed", "4096 buckets, indices", "4096 buckets, indices, packed"})
      EXPECT_EQ(large.count(sentence("64 B x 2^20, 30 %, ", order, ", ", rest)), 1u) << order << rest;
  }
  for (const auto& [kind, bytes] : smallest) {
    const bool isLargeOnly = kind.find("4096") != std::string::npos;
    EXPECT_LE(bytes, isLargeOnly ? 1u << 26 : kSuiteBytesOnSoftwareDevice) << kind;
  }
}

TEST(Suites, FullHoldsEveryOther) {
  const auto full = *suite("full");
  std::set<std::string> names;
  for (const Workload& workload : full) names.insert(describe(workload));
  for (const std::string& name : suiteNames()) {
    const auto workloads = *suite(name);
    for (const Workload& workload : workloads) EXPECT_EQ(names.count(describe(workload)), 1u) << describe(workload);
  }
}

TEST(Suites, ProductHasEveryCombination) {
  WorkloadLists lists;
  lists.recordBytes = {8, 12};
  lists.recordCounts = {1, 2, 3};
  lists.survivalPercents = {0, 50};
  lists.patterns = {Pattern::Random, Pattern::Clustered};
  lists.bucketCounts = {1, 2};
  lists.outputs = {Outputs::Records, Outputs::Indices};
  lists.predicates = {Predicate::Word, Predicate::SphereBeside};
  lists.viewCounts = {1, 8};
  lists.placements = {Placement::Reserved, Placement::Merged};
  lists.groupCounts = {0, 3};
  std::set<std::string> names;
  for (const Workload& workload : product(lists)) names.insert(describe(workload));
  EXPECT_EQ(names.size(), 2u * 3 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 2);
}

TEST(Suites, NamesSayWhatIsUnusual) {
  Workload workload;
  workload.recordCount = 1u << 28;
  EXPECT_EQ(describe(workload), "4 B x 2^28, 50 %, unordered");
  workload = {16, 1000003, 12.5, Pattern::Clustered, 64, Order::Stable, Outputs::Indices};
  EXPECT_EQ(describe(workload), "16 B x 1000003, 12.5 %, stable, 64 buckets, clustered, indices");
  workload.predicate = Predicate::SphereBeside;
  EXPECT_EQ(describe(workload), "16 B x 1000003, 12.5 %, stable, 64 buckets, clustered, indices, sphere-beside");
  workload.predicate = Predicate::BoxBeside;
  EXPECT_EQ(describe(workload), "16 B x 1000003, 12.5 %, stable, 64 buckets, clustered, indices, box-beside");
  workload.viewCount = 8;
  EXPECT_EQ(describe(workload), "16 B x 1000003, 12.5 %, stable, 64 buckets, clustered, indices, box-beside, 8 views");
  workload = {16, 1000, 50, Pattern::Random, 64, Order::Stable, Outputs::Indices};
  workload.placement = Placement::Packed;
  workload.groupCount = 8;
  EXPECT_EQ(describe(workload), "16 B x 1000, 50 %, stable, 64 buckets, indices, packed, 8 groups");
  workload.placement = Placement::Merged;
  workload.groupCount = 0;
  EXPECT_EQ(describe(workload), "16 B x 1000, 50 %, stable, 64 buckets, indices, merged");
}

}  // namespace
}  // namespace bench
