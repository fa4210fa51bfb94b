#include <gtest/gtest.h>

#include <sluice/sluice.hpp>

namespace slu::test {
namespace {

TEST(FrameRing, GoesRoundTheSlotsAndCountsUp) {
  FrameRing ring(3);
  for (std::uint64_t value = 1; value <= 10; ++value) {
    const std::optional<FrameRing::Frame> frame = ring.begin(value - 1);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->slot, (value - 1) % 3);
    EXPECT_EQ(frame->value, value);
  }
}

TEST(FrameRing, RefusesASlotInFlightUntilItsFrameCompleted) {
  FrameRing ring(2);
  EXPECT_TRUE(ring.begin(0));
  EXPECT_TRUE(ring.begin(0));
  for (int attempt = 0; attempt < 2; ++attempt) EXPECT_FALSE(ring.begin(0));
  const std::optional<FrameRing::Frame> third = ring.begin(1);
  ASSERT_TRUE(third);
  EXPECT_EQ(third->value, 3u);
  EXPECT_EQ(third->slot, 0u);
  EXPECT_FALSE(ring.begin(1));
  EXPECT_EQ(ring.begin(3)->value, 4u);
}

TEST(FrameRing, RefusesWhatCannotBe) {
  EXPECT_FALSE(FrameRing(0).begin(0));
  FrameRing ring(2);
  EXPECT_FALSE(ring.begin(1)) << "it has not begun";
  EXPECT_FALSE(ring.begin(~std::uint64_t{0})) << "what a lost device may tell";
  EXPECT_EQ(ring.begin(0)->value, 1u);
}

}  // namespace
}  // namespace slu::test
