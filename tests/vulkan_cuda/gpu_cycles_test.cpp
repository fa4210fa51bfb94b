// Contexts, buffers and plans that come and go.
#include "compacted_frames.h"
#include "gpu_host.h"
#include "open_handles.h"

namespace slu::test {
namespace {

class GpuCycles : public GpuTest {
 protected:
  // Two frames on a context that is new every time.
  void cycle(Random& random) {
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &host->info;
    Context sluice;
    SluMessage message{};
    ASSERT_EQ(sluCreateContext(&info, sluice.put(), &message), SLU_SUCCESS) << message.text;
    CompactedFrames frames(host->vulkan, sluice, nullptr, 2, allUsages(host->instance), random);
    for (int frame = 0; frame < 2; ++frame) frames.run();
    constexpr std::uint64_t kTenSeconds = 10'000'000'000;
    ASSERT_EQ(frames.wait(2, kTenSeconds), VK_SUCCESS);
    for (std::uint64_t frame = 1; frame <= 2; ++frame) ASSERT_NO_FATAL_FAILURE(frames.expectExact(frame));
  }
};

// The driver opens what it opens once in the first cycles.
TEST_F(GpuCycles, LeaveNothingBehind) {
  SCOPED_TRACE(describeSeed());
  Random random;
  for (int i = 0; i < 16; ++i) ASSERT_NO_FATAL_FAILURE(cycle(random));
  HandleChurn churn;
  const std::size_t before = openHandleCount();
  for (int i = 0; i < 1000; ++i) {
    churn.step();
    ASSERT_NO_FATAL_FAILURE(cycle(random)) << "cycle " << i;
    ASSERT_EQ(openHandleCount(), before + churn.count()) << "cycle " << i;
    ASSERT_TRUE(churn.areAllOurs()) << "cycle " << i;
  }
}

}  // namespace
}  // namespace slu::test
