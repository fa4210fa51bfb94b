// Which kernel compacts which plan.
#include <gtest/gtest.h>

#include <set>
#include <utility>

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
  constexpr std::pair<SharedMemory, LaunchLimits> kKinds[] = {
      {SharedMemory::ample, kMost},
      {SharedMemory::ample, kWithoutPipes},
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

// launchLimits gives each of their blocks the share of a multiprocessor that one of compactSorted16 has.
TEST(KernelChoice, KernelsThatSortLongTilesHaveEquallyManyBlocks) {
  for (const KernelRow& row : kernelTable()) {
    if (row.sortedRows != cuda::kSortedRows) continue;
    EXPECT_EQ(row.blocks, rowOf(CudaKernel::compactSorted16).blocks) << row.name;
  }
}

}  // namespace
}  // namespace slu::test
