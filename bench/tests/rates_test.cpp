#include "report/rates.h"

#include <gtest/gtest.h>

#include <functional>

#include "random.h"

namespace bench {
namespace {

TEST(Traffic, OfWords) {
  Workload workload;
  workload.recordCount = 1000;
  const Traffic traffic = trafficOf(workload, 250);
  EXPECT_EQ(traffic.bytes, 1000u * 4 + 250 * 4);
  EXPECT_EQ(traffic.wholeBytes, traffic.bytes);
}

TEST(Traffic, OfRecordsUpToASector) {
  Workload workload;
  workload.recordBytes = 32;
  workload.recordCount = 1000;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 32 + 10 * 32);
  EXPECT_EQ(trafficOf(workload, 10).wholeBytes, 1000u * 32 + 10 * 32);
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 32 + 10 * 4);
}

TEST(Traffic, OfWideRecords) {
  Workload workload;
  workload.recordBytes = 128;
  workload.recordCount = 1000;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 32 + 10 * 96 + 10 * 128);
  EXPECT_EQ(trafficOf(workload, 10).wholeBytes, 1000u * 128 + 10 * 128);
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 32 + 10 * 4);
}

TEST(Traffic, OfSpheres) {
  Workload workload = {16, 1000, 30, Pattern::Random, 1, Order::Unordered, Outputs::Indices, Predicate::Sphere};
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 16 + 10 * 4);
  EXPECT_EQ(trafficOf(workload, 10).wholeBytes, 1000u * 16 + 10 * 4);
  workload = {64, 1000, 30, Pattern::Random, 64, Order::Unordered, Outputs::Records, Predicate::SphereBeside};
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 16 + 10 * 64 + 10 * 64);
  EXPECT_EQ(trafficOf(workload, 10).wholeBytes, 1000u * 80 + 10 * 64);
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 16 + 10 * 32 + 10 * 4);
  workload.bucketCount = 1;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 16 + 10 * 4);
}

TEST(Traffic, OfBoxes) {
  Workload workload = {64, 1000, 30, Pattern::Random, 64, Order::Unordered, Outputs::Records, Predicate::BoxBeside};
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 80 + 10 * 64 + 10 * 64);
  EXPECT_EQ(trafficOf(workload, 10).wholeBytes, 1000u * 144 + 10 * 64);
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 80 + 10 * 32 + 10 * 4);
  workload.bucketCount = 1;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 80 + 10 * 4);
}

TEST(Traffic, OfSpheresInRecords) {
  Workload workload = {64, 1000, 30, Pattern::Random, 64, Order::Unordered, Outputs::Records, Predicate::Sphere};
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 32 + 10 * 32 + 10 * 64) << "key and sphere share a sector";
  EXPECT_EQ(trafficOf(workload, 10).wholeBytes, 1000u * 64 + 10 * 64);
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(trafficOf(workload, 10).bytes, 1000u * 32 + 10 * 4);
}

// 8 views keep 400 together, of 1,000 records: none twice. If they keep 2,400, every record is kept.
TEST(Traffic, OfSeveralViewsReadsOnce) {
  Workload workload = {64, 1000, 5, Pattern::Random, 64, Order::Unordered, Outputs::Records, Predicate::SphereBeside,
                       8};
  EXPECT_EQ(trafficOf(workload, 400).bytes, 1000u * 16 + 400 * 64 + 400 * 64);
  EXPECT_EQ(trafficOf(workload, 400).wholeBytes, 1000u * 80 + 400 * 64);
  EXPECT_EQ(trafficOf(workload, 2400).bytes, 1000u * 16 + 1000 * 64 + 2400 * 64);
  EXPECT_EQ(trafficOf(workload, 2400).wholeBytes, 1000u * 80 + 2400 * 64);
  workload.outputs = Outputs::Indices;
  EXPECT_EQ(trafficOf(workload, 2400).bytes, 1000u * 16 + 1000 * 32 + 2400 * 4);
  workload.bucketCount = 1;
  EXPECT_EQ(trafficOf(workload, 2400).bytes, 1000u * 16 + 2400 * 4);
}

TEST(Traffic, PassesFourGigabytes) {
  Workload workload;
  workload.recordBytes = 256;
  workload.recordCount = 1u << 31;
  EXPECT_EQ(workload.inputBytes(), uint64_t{1} << 39);
  EXPECT_EQ(trafficOf(workload, 1u << 31).bytes, uint64_t{1} << 40);
}

// If all records are kept, all bytes are read and written, whatever the record is.
TEST(Traffic, OfAllKeptIsACopy) {
  SCOPED_TRACE(slu::test::describeSeed());
  slu::test::Random random;
  for (int i = 0; i < 100; ++i) {
    Workload workload;
    workload.recordBytes = 4 * random.between(1, 64);
    workload.recordCount = random.between(1, 1u << 31);
    const Traffic traffic = trafficOf(workload, workload.recordCount);
    EXPECT_EQ(traffic.bytes, 2 * workload.inputBytes()) << describe(workload);
    EXPECT_EQ(traffic.wholeBytes, traffic.bytes) << describe(workload);
  }
}

CompetitorResult measured(const char* name, Role role, std::vector<double> samples) {
  CompetitorResult result;
  result.competitor = name;
  result.role = role;
  result.samples = std::move(samples);
  return result;
}

// 10^6 words, half of them kept: 8 MB are copied, 6 MB compulsory.
WorkloadResult exampleResult() {
  WorkloadResult result;
  result.workload.recordCount = 1000000;
  result.keptCount = 500000;
  result.competitors = {measured("slow copy", Role::Copy, {9, 8, 10}), measured("copy", Role::Copy, {4, 4, 4}),
                        measured("cub", Role::Baseline, {6, 6, 6}), measured("ours", Role::Candidate, {3, 1, 4})};
  return result;
}

TEST(Rates, CompareWithTheFastestCopyAndTheBaseline) {
  const WorkloadResult result = exampleResult();
  const Rates ours = ratesOf(result, result.competitors[3]);
  EXPECT_EQ(ours.microseconds.median, 3);
  EXPECT_EQ(ours.bytes, 6000000u);
  EXPECT_DOUBLE_EQ(ours.gigabytesPerSecond, 2000);
  EXPECT_DOUBLE_EQ(ours.ofCopy.value(), 1.0);
  EXPECT_DOUBLE_EQ(ours.ofBaseline.value(), 2.0);

  const Rates slowCopy = ratesOf(result, result.competitors[0]);
  EXPECT_EQ(slowCopy.bytes, 8000000u);
  EXPECT_DOUBLE_EQ(slowCopy.ofCopy.value(), 4.0 / 9.0);
  EXPECT_EQ(slowCopy.ofBaseline, std::nullopt);
}

TEST(Rates, CompareWithACopyOfTheStudyThatIsFaster) {
  WorkloadResult result = exampleResult();
  result.competitors.push_back(measured("slow study", Role::Study, {5, 5, 5}));
  EXPECT_DOUBLE_EQ(ratesOf(result, result.competitors[3]).ofCopy.value(), 1.0);
  result.competitors.push_back(measured("fast study", Role::Study, {2, 2, 2}));
  const Rates study = ratesOf(result, result.competitors.back());
  EXPECT_EQ(study.bytes, 8000000u);
  EXPECT_DOUBLE_EQ(study.ofCopy.value(), 1.0);
  EXPECT_EQ(study.ofBaseline, std::nullopt);
  EXPECT_DOUBLE_EQ(ratesOf(result, result.competitors[3]).ofCopy.value(), 0.5);
  result.competitors.back().status = Status::Wrong;
  EXPECT_DOUBLE_EQ(ratesOf(result, result.competitors[3]).ofCopy.value(), 1.0);
}

TEST(Rates, CompareWithNobodyWhoWasNotMeasured) {
  WorkloadResult result = exampleResult();
  for (CompetitorResult* competitor : {&result.competitors[0], &result.competitors[1], &result.competitors[2]}) {
    competitor->status = Status::Wrong;
    competitor->samples.clear();
  }
  const Rates ours = ratesOf(result, result.competitors[3]);
  EXPECT_EQ(ours.ofCopy, std::nullopt);
  EXPECT_EQ(ours.ofBaseline, std::nullopt);
}

// The example with spheres, by one view and by eight.
RunResult exampleOfViews() {
  RunResult run;
  run.workloads = {exampleResult(), exampleResult()};
  for (WorkloadResult& result : run.workloads) {
    result.workload.recordBytes = kSphereBytes;
    result.workload.outputs = Outputs::Indices;
    result.workload.predicate = Predicate::Sphere;
  }
  run.workloads[1].workload.viewCount = 8;
  run.workloads[1].competitors[3].samples = {6, 7, 9};
  return run;
}

TEST(Rates, CompareWithOneView) {
  const RunResult run = exampleOfViews();
  const CompetitorResult& ours = run.workloads[1].competitors[3];
  EXPECT_DOUBLE_EQ(timesOfOneView(run, run.workloads[1], ours).value(), 7.0 / 3.0);
  EXPECT_EQ(timesOfOneView(run, run.workloads[0], run.workloads[0].competitors[3]), std::nullopt);
}

// Only the same workload, competitor and arena count.
TEST(Rates, CompareWithNoOtherView) {
  const auto expectNothing = [](const std::function<void(RunResult&)>& change) {
    RunResult run = exampleOfViews();
    change(run);
    EXPECT_EQ(timesOfOneView(run, run.workloads[1], run.workloads[1].competitors[3]), std::nullopt);
  };
  expectNothing([](RunResult& run) { run.workloads[0].workload.viewCount = 2; });
  expectNothing([](RunResult& run) { run.workloads[0].workload.order = Order::Stable; });
  expectNothing([](RunResult& run) { run.workloads[0].competitors[3].competitor = "theirs"; });
  expectNothing([](RunResult& run) { run.workloads[0].competitors[3].arena = ArenaId::Host; });
  expectNothing([](RunResult& run) { run.workloads[0].competitors[3].status = Status::Wrong; });
}

}  // namespace
}  // namespace bench
