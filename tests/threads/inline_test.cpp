// Several threads record frames of different plans of the inline route at once, for a driver that is the fake. Nothing is
// executed here: what they record is what one thread records alone.
#include <cstring>

#include "../inline/fake_kernels.h"
#include "recording.h"

namespace slu::test {
namespace {

using InlineThreads = RecordingThreads;
INSTANTIATE_TEST_SUITE_P(, InlineThreads, testing::Bool(), contextsOf);

bool isSame(const FakeLaunch& a, const FakeLaunch& b) {
  return a.kernel == b.kernel && a.x == b.x && a.y == b.y && a.block.threads == b.block.threads &&
         a.block.sharedBytes == b.block.sharedBytes &&
         std::memcmp(&a.arguments, &b.arguments, sizeof(a.arguments)) == 0;
}

TEST_P(InlineThreads, RecordDifferentPlans) {
  FakeKernels fake(device());
  recordAtOnce(SLU_ROUTE_INLINE, fake.info());
  EXPECT_EQ(fake.complaints(), std::vector<std::string>());
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    const std::vector<FakeLaunch> atOnce = fake.launches(hosts[i]->commands);
    fake.forget(hosts[i]->commands);
    Lockstep lockstep(1);
    hosts[i]->record(works[i], i, lockstep);
    const std::vector<FakeLaunch> alone = fake.launches(hosts[i]->commands);
    EXPECT_GE(alone.size(), Work::kRounds);
    EXPECT_TRUE(std::ranges::equal(atOnce, alone, isSame)) << i;
  }
  closeAll();
  EXPECT_EQ(fake.aliveCount(), 0);
}

}  // namespace
}  // namespace slu::test
