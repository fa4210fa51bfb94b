// Tests which workloads the literature's competitors take. Needs no GPU.
#include <gtest/gtest.h>

#include <set>

#include "literature/literature.h"

namespace bench {
namespace {

CompetitorList literature() {
  CompetitorList competitors;
  addLiterature(competitors);
  return competitors;
}

// The compactions that take a workload; a refusal is a sentence.
std::set<std::string> takers(const Workload& workload) {
  std::set<std::string> names;
  for (const auto& competitor : literature())
    if (competitor->role() != Role::Study && competitor->refusal(workload).empty()) names.insert(competitor->name());
  return names;
}

const std::set<std::string> kUnordered{"atomics",     "atomics-shared", "warp-group",
                                       "warp-ballot", "warp-match",     "warp-shared"};
const std::set<std::string> kWordsOnly{"sequences-2", "sequences-4", "sequences-shuffled"};
const std::set<std::string> kStable{"sequences-1", "block-counts", "in-kernel"};  // of any record

std::set<std::string> together(std::set<std::string> a, const std::set<std::string>& b) {
  a.insert(b.begin(), b.end());
  return a;
}

TEST(Literature, NamesDiffer) {
  std::set<std::string> names;
  for (const auto& competitor : literature()) EXPECT_TRUE(names.insert(competitor->name()).second);
}

TEST(Literature, AllOfItTakesWords) {
  Workload workload;
  workload.recordCount = 3 * 65536;
  EXPECT_EQ(takers(workload), together(kUnordered, together(kWordsOnly, kStable)));
  workload.order = Order::Stable;
  EXPECT_EQ(takers(workload), together(kWordsOnly, kStable));
  workload.recordCount += 1;
  EXPECT_EQ(takers(workload), together({"sequences-2", "sequences-4"}, kStable));
}

TEST(Literature, WideRecordsAndIndicesAreForScalarLoads) {
  Workload workload;
  for (const uint32_t recordBytes : {16u, 32u, 64u, 128u}) {
    workload.recordBytes = recordBytes;
    EXPECT_EQ(takers(workload), together(kUnordered, kStable)) << recordBytes;
  }
  workload.recordBytes = 20;
  EXPECT_EQ(takers(workload), std::set<std::string>());
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(takers(workload), together(kUnordered, kStable));
}

TEST(Literature, CullsIndicesAndRecordsOf64Bytes) {
  Workload workload;
  workload.recordBytes = 64;
  workload.predicate = Predicate::SphereBeside;
  EXPECT_EQ(takers(workload), together(kUnordered, kStable));
  workload.recordBytes = 32;
  EXPECT_EQ(takers(workload), std::set<std::string>());
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(takers(workload), together(kUnordered, kStable));
}

TEST(Literature, LeavesBoxesToOthers) {
  Workload workload;
  workload.recordBytes = 64;
  workload.predicate = Predicate::BoxBeside;
  EXPECT_EQ(takers(workload), std::set<std::string>());
  workload.outputs = Outputs::Indices;
  for (const auto& competitor : literature()) {
    if (competitor->role() == Role::Study) continue;
    EXPECT_EQ(competitor->refusal(workload), "it tests words and spheres, and boxes decide here") << competitor->name();
  }
}

TEST(Literature, LeavesSpheresInRecordsAndViewsToOthers) {
  Workload workload;
  workload.recordBytes = 64;
  workload.predicate = Predicate::Sphere;
  for (const auto& competitor : literature()) {
    if (competitor->role() == Role::Study) continue;
    workload.viewCount = 1;
    EXPECT_EQ(competitor->refusal(workload),
              "it tests words and spheres without gaps, and spheres in records decide here")
        << competitor->name();
    workload.viewCount = 2;
    EXPECT_EQ(competitor->refusal(workload), "it culls for one view") << competitor->name();
  }
}

// Atomics by which lanes may count in different places take several; the others have one output.
TEST(Literature, SeveralBucketsTakeCountersPerLane) {
  const std::set<std::string> takesBuckets{"atomics", "bevy", "warp-match"};
  Workload workload;
  workload.bucketCount = 2;
  for (const uint32_t recordBytes : {16u, 32u, 64u, 128u}) {
    workload.recordBytes = recordBytes;
    EXPECT_EQ(takers(workload), takesBuckets) << recordBytes;
  }
  for (const auto& competitor : literature()) {
    if (competitor->role() == Role::Study || takesBuckets.count(competitor->name()) != 0) continue;
    const bool drawsRecords = competitor->name() == "niagara";
    EXPECT_EQ(competitor->refusal(workload),
              drawsRecords ? "it writes a command for each record" : "the algorithm has one output")
        << competitor->name();
  }
  workload.recordBytes = 64;
  workload.predicate = Predicate::SphereBeside;
  EXPECT_EQ(takers(workload), takesBuckets);
  workload.recordBytes = 48;
  EXPECT_EQ(takers(workload), std::set<std::string>());
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(takers(workload), takesBuckets);
  workload.order = Order::Stable;
  EXPECT_EQ(takers(workload), std::set<std::string>());
}

TEST(Literature, RenderersTakeTheirOwnDraws) {
  Workload workload = {64, 1000, 30, Pattern::Random, 64, Order::Unordered, Outputs::Indices};
  workload.groupCount = 8;
  EXPECT_EQ(takers(workload), std::set<std::string>{"bevy"});
  workload.groupCount = 0;
  workload.placement = Placement::Packed;
  EXPECT_EQ(takers(workload), std::set<std::string>());
  workload.placement = Placement::Merged;
  EXPECT_EQ(takers(workload), std::set<std::string>{"niagara"});
  workload.recordBytes = 20;
  EXPECT_EQ(takers(workload), std::set<std::string>{"niagara"});
  workload.order = Order::Stable;
  EXPECT_EQ(takers(workload), std::set<std::string>());
}

TEST(Literature, TheStudyCopiesEverything) {
  Workload workload;
  workload.recordBytes = 20;
  workload.bucketCount = 2;
  workload.order = Order::Stable;
  size_t studies = 0;
  for (const auto& competitor : literature()) {
    if (competitor->role() != Role::Study) continue;
    ++studies;
    EXPECT_EQ(competitor->refusal(workload), "") << competitor->name();
  }
  EXPECT_EQ(studies, 9u);
}

}  // namespace
}  // namespace bench
