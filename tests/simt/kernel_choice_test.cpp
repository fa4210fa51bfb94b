// Which kernel compacts which plan.
#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "api/route_table.h"
#include "kernels/schedule.h"
#include "plan/plan_checks.h"
#include "plan/rejects.h"
#include "plans.h"

namespace slu::test {
namespace {

// Of the kernels some are for scarce shared memory alone, which CUDA's streams do not meet, one for launches that
// cannot ask for much of it, and some for those that can ask for most.
TEST(KernelChoice, PlansOfEveryKernelTakeEveryKernel) {
  constexpr LaunchLimits kMost = {.sortedBytes = 230'000, .pipedBytes = 230'000, .pipedFrom = 0};
  constexpr LaunchLimits kWithoutPipes = {.sortedBytes = 200'000};
  constexpr LaunchLimits kWithoutDecisions = {.mostDecisionBytes = 0};
  constexpr std::pair<SharedMemory, LaunchLimits> kKinds[] = {
      {SharedMemory::ample, kMost},
      {SharedMemory::ample, kWithoutPipes},
      {SharedMemory::ample, kWithoutDecisions},
      {SharedMemory::scarce, {.sortedBytes = kPortableSharedBytes}}};
  Random random;
  std::set<std::string> taken;
  for (const SluOrder order : kOrders) {
    for (const PlanSpec& plan : plansOfEveryKernel(order, random)) {
      const PlanArguments arguments(plan, SLU_ROUTE_CUDA);
      const PlanLayout whole = checkPlan(*arguments.get(), rowOf(SLU_ROUTE_CUDA).predicates());
      std::vector<PlanLayout> parts = {keptLayout(whole)};
      if (hasRejects(whole)) parts.push_back(rejectsLayout(whole));
      for (const PlanLayout& layout : parts) {
        for (const auto& [sharedMemory, limits] : kKinds) {
          const CudaSchedule schedule(layout, sharedMemory, limits);
          for (const CudaKernel kernel : schedule.kernels()) taken.insert(rowOf(kernel).name);
        }
      }
    }
  }
  std::set<std::string> all;
  for (const KernelRow& row : kernelTable()) all.insert(row.name);
  EXPECT_EQ(taken, all);
}

// A block per 1,024 of them would leave most of a GPU idle. The others are read in two steps, also where shared memory
// is scarce.
TEST(KernelChoice, LongRecordsHaveAKernelInPlansForManyAlone) {
  using enum CudaKernel;
  constexpr std::uint32_t kFew = 1u << 18;
  struct Kind {
    std::uint32_t stride;
    SluOrder order;
    CudaKernel kernel, other;
  };
  for (const Kind& kind : {Kind{96, SLU_ORDER_UNORDERED, compactLong96, compactGeneral},
                           Kind{128, SLU_ORDER_UNORDERED, compactLong128, compactGeneral},
                           Kind{96, SLU_ORDER_STABLE, compactLong96Stable, compactGeneralStable},
                           Kind{128, SLU_ORDER_STABLE, compactLong128Stable, compactGeneralStable}}) {
    for (const std::uint32_t most : {kFew, kFew + 1}) {
      PlanSpec plan = simplePlan(kind.order, kind.stride, most);
      plan.info.outputs = SLU_OUTPUT_RECORDS_BIT;
      const PlanArguments arguments(plan, SLU_ROUTE_CUDA);
      const PlanLayout layout = checkPlan(*arguments.get(), rowOf(SLU_ROUTE_CUDA).predicates());
      EXPECT_EQ(chooseKernel(layout, SharedMemory::ample, {}), most == kFew ? kind.other : kind.kernel);
      EXPECT_EQ(chooseKernel(layout, SharedMemory::scarce, {}), kind.other);
    }
  }
}

// Packed plans list what they rank, unless the list takes too much memory. Plans that scatter keep their decisions, unless
// these take too much. What needs neither has neither.
TEST(KernelChoice, ListsAndDecisionsTakeAtMostTheirLimits) {
  using enum CudaKernel;
  constexpr std::uint32_t kRecords = 5000, kRounded = 5 * 1024;
  const auto layoutOf = [](SluOrder order, bool isPacked, SluFlags outputs) {
    PlanSpec plan = simplePlan(order, 8, kRecords);
    plan.info.maxViewCount = 2;
    plan.info.outputs = outputs;
    addBuckets(plan, 5, 1, 1000, 4);
    if (isPacked) packBuckets(plan, 0);
    const PlanArguments arguments(plan, SLU_ROUTE_CUDA);
    return checkPlan(*arguments.get(), rowOf(SLU_ROUTE_CUDA).predicates());
  };
  const auto expect = [](const PlanLayout& layout, const LaunchLimits& limits, std::uint64_t bytes,
                         const std::vector<CudaKernel>& kernels) {
    const CudaSchedule schedule(layout, SharedMemory::ample, limits);
    EXPECT_EQ(schedule.listBytes(), bytes);
    EXPECT_EQ(schedule.kernel(), kernels.front() == rankBuckets ? rankBuckets : kernels.back());
    Frame frame;
    frame.recordCount = kRecords;
    const CudaLaunches launches = schedule.launches(frame);
    std::vector<CudaKernel> launched;
    for (std::uint32_t i = 0; i < launches.count; ++i) launched.push_back(launches.items[i].kernel);
    EXPECT_EQ(launched, kernels);
  };
  constexpr std::uint64_t kListBytes = 2ull * 12 * kRecords, kDecisionBytes = 2ull * 2 * kRounded;
  const PlanLayout packed = layoutOf(SLU_ORDER_UNORDERED, true, SLU_OUTPUT_INDICES_BIT);
  expect(packed, {.mostListBytes = kListBytes}, 2ull * 12 * kRounded, {rankBuckets, publishCounted, emitRanked});
  expect(packed, {.mostDecisionBytes = kDecisionBytes, .mostListBytes = kListBytes - 1}, kDecisionBytes,
         {countBuckets, scanBuckets, publishCounted, scatterDecided});
  expect(layoutOf(SLU_ORDER_UNORDERED, true, SLU_OUTPUT_BUCKET_COUNTS_BIT), {}, 0, {rankBuckets, publishCounted});
  const PlanLayout stable = layoutOf(SLU_ORDER_STABLE, false, SLU_OUTPUT_INDICES_BIT);
  expect(stable, {.mostDecisionBytes = kDecisionBytes}, kDecisionBytes, {countBuckets, scanBuckets, scatterDecided});
  expect(stable, {.mostDecisionBytes = kDecisionBytes - 1}, 0, {countBuckets, scanBuckets, scatterBuckets});
}

// Draws in groups have a launch behind the one that compacts, which publishes.
TEST(KernelChoice, UnorderedGroupsArePublishedApart) {
  using enum CudaKernel;
  Random random;
  PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 8, 5000);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_DRAWS_BIT;
  addBuckets(plan, 5, 1, 1000, 4);
  addDraws(plan, SLU_DRAW_INSTANCES, 16, 0, random);
  addGroups(plan, 3, 0, random);
  const PlanArguments arguments(plan, SLU_ROUTE_CUDA);
  const PlanLayout layout = checkPlan(*arguments.get(), rowOf(SLU_ROUTE_CUDA).predicates());
  const CudaSchedule schedule(layout, SharedMemory::ample, {.sortedBytes = 230'000});
  const CudaLaunches launches = schedule.launches(Frame{});
  ASSERT_EQ(launches.count, 2u);
  EXPECT_EQ(launches.items[0].kernel, compactBuckets);
  EXPECT_EQ(launches.items[1].kernel, publishCounted);
}

// What a pyramid hides is found out before anything else, by frames that read one, in one of the two parts of a plan.
TEST(KernelChoice, WhatIsVisibleIsFoundFirst) {
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 8, 5000);
  plan.info.maxViewCount = 3;
  addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0, SLU_SHAPE_BOX);
  addBuckets(plan, 5, 1, 1000, 4);
  addOcclusion(plan);
  addStream(plan, 16);
  const auto layoutOf = [](const PlanSpec& spec) {
    const PlanArguments arguments(spec, SLU_ROUTE_CUDA);
    return checkPlan(*arguments.get(), rowOf(SLU_ROUTE_CUDA).predicates());
  };
  const auto launchesOf = [](const PlanLayout& layout, std::uint32_t phase, std::uint32_t recordCount,
                             const LaunchLimits& limits = {}) {
    Frame frame;
    frame.recordCount = recordCount;
    frame.viewCount = 3;
    frame.occlusionPhase = phase;
    return CudaSchedule(layout, SharedMemory::ample, limits).launches(frame);
  };
  const PlanLayout layout = layoutOf(plan);
  const std::uint32_t without = launchesOf(layout, 0, 5000).count;
  EXPECT_EQ(launchesOf(layout, SLU_OCCLUSION_FIRST, 5000).count, without);
  for (const std::uint32_t phase : {SLU_OCCLUSION_SINGLE, SLU_OCCLUSION_SECOND}) {
    const CudaLaunches launches = launchesOf(layout, phase, 5000);
    ASSERT_EQ(launches.count, without + 1);
    EXPECT_EQ(launches.items[0].kernel, CudaKernel::findVisible);
    EXPECT_EQ(launches.items[0].x, 10u);  // tiles of 512 records
    EXPECT_EQ(launches.items[0].y, 3u);
    EXPECT_EQ(launchesOf(layout, phase, 0).items[0].x, 1u);
    EXPECT_EQ(launchesOf(layout, phase, 5000, {.viewsFrom = 0}).items[0].y, 1u);
    for (std::uint32_t i = 1; i < launches.count; ++i) EXPECT_NE(launches.items[i].kernel, CudaKernel::findVisible);
  }
  addRejects(plan, 0, 100);
  const PlanLayout whole = layoutOf(plan);
  EXPECT_EQ(launchesOf(rejectsLayout(whole), SLU_OCCLUSION_SINGLE, 5000).items[0].kernel, CudaKernel::findVisible);
  EXPECT_EQ(launchesOf(keptLayout(whole), SLU_OCCLUSION_SINGLE, 5000).count, without);
}

// launchLimits gives each of their blocks the share of a multiprocessor that one of compactSorted16 has.
TEST(KernelChoice, KernelsThatSortLongTilesHaveEquallyManyBlocks) {
  for (const KernelRow& row : kernelTable()) {
    if (row.sortedRows != cuda::kSortedRows) continue;
    EXPECT_EQ(row.blocks, rowOf(CudaKernel::compactSorted16).blocks) << row.name;
  }
}

}  // namespace
}  // namespace slu::test
