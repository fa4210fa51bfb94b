// Many frames in flight, ordered by the two timelines alone. SLUICE_TEST_FRAMES shortens or lengthens the run.
#include "compacted_frames.h"
#include "gpu_host.h"

namespace slu::test {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

class GpuCompactedFrames : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (IsSkipped()) return;
    auto contextInfo = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    contextInfo.pNext = &host->info;
    SluMessage message{};
    ASSERT_EQ(sluCreateContext(&contextInfo, sluice.put(), &message), SLU_SUCCESS) << message.text;
    stream = makeStream(*context);
  }
  void TearDown() override {
    stream.reset();
    sluice.reset();
    GpuTest::TearDown();
  }

  ::testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  Random random;
  Context sluice;
  Stream stream{nullptr, {nullptr}};
};

TEST_F(GpuCompactedFrames, ThreeInFlightAreExact) {
  const std::uint64_t count = frameCount(10'000);
  CompactedFrames frames(host->vulkan, sluice, random.chance(0.5) ? stream.get() : nullptr, count,
                         allUsages(host->instance), random);
  for (std::uint64_t frame = 1; frame <= count + CompactedFrames::kSlots; ++frame) {
    if (frame > CompactedFrames::kSlots) {
      const std::uint64_t retired = frame - CompactedFrames::kSlots;
      if (retired > count) break;
      ASSERT_EQ(frames.wait(retired, 10 * kSecond), VK_SUCCESS) << "frame " << retired;
      ASSERT_NO_FATAL_FAILURE(frames.expectExact(retired));
    }
    if (frame <= count) frames.run();
  }
}

TEST_F(GpuCompactedFrames, AWithheldSignalTimesOutUntilItComes) {
  CompactedFrames frames(host->vulkan, sluice, stream.get(), 2, allUsages(host->instance), random);
  frames.run();
  ASSERT_EQ(frames.wait(1, 10 * kSecond), VK_SUCCESS);
  frames.expectExact(1);

  frames.run(false);
  EXPECT_EQ(frames.wait(2, kSecond / 2), VK_TIMEOUT);
  EXPECT_EQ(frames.completed(), 1u);
  frames.expectUntouched(2);

  frames.signal(2);
  ASSERT_EQ(frames.wait(2, 10 * kSecond), VK_SUCCESS);
  frames.expectExact(2);
}

}  // namespace
}  // namespace slu::test
