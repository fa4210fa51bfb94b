#include "contract.h"

#include <algorithm>

#include "left_overs.h"

namespace slu::test {
namespace {

std::string nameOf(const testing::TestParamInfo<MachineKind>& info) { return machineName(info.param); }

INSTANTIATE_TEST_SUITE_P(, Contract, testing::ValuesIn(kMachineKinds), nameOf);

const testing::Environment* const kLeftOvers = testing::AddGlobalTestEnvironment(new LeftOvers);

}  // namespace

void Contract::SetUp() {
  std::string reason;
  machine_ = findMachine(GetParam(), reason);
  if (machine_ == nullptr) GTEST_SKIP() << reason;
}

void Contract::TearDown() {
  if (machine_ == nullptr) return;
  machine_->dropPlans();
  dropReferencePlans();
  EXPECT_EQ(takeMessages(), "");
}

std::uint32_t Contract::tileOf(const PlanSpec& plan) {
  // CUDA kernels for long records choose between two algorithms, of which one has tiles of 1,024 records.
  const SluRoute route = machine().route();
  const bool chooses = plan.info.recordStride > 64 && (route == SLU_ROUTE_CUDA || route == SLU_ROUTE_INLINE);
  return std::max(static_cast<std::uint32_t>(machine().tileRecords(plan)), chooses ? 1024u : 300u);
}

testing::AssertionResult Contract::agreesOn(const PlanSpec& plan, std::uint32_t count, Pattern pattern,
                                            std::uint32_t viewCount) {
  const Scene scene = makeScene(plan, makeInput(plan, count, pattern, random), viewCount, random);
  testing::AssertionResult result = agrees(machine(), scene);
  if (!result) result << "; " << describe(plan);
  return result;
}

}  // namespace slu::test
