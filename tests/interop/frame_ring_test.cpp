#include "interop/frame_ring.h"

#include "sentence.h"

namespace slu::test {
namespace {

TEST(FrameRing, GoesRoundTheSlotsAndCountsUp) {
  FrameRing ring(3);
  for (std::uint64_t value = 1; value <= 10; ++value) {
    const FrameRing::Frame frame = ring.begin(value - 1);
    EXPECT_EQ(frame.slot, (value - 1) % 3);
    EXPECT_EQ(frame.value, value);
  }
}

TEST(FrameRing, RefusesASlotInFlightUntilItsFrameCompleted) {
  FrameRing ring(2);
  ring.begin(0);
  ring.begin(0);
  for (int attempt = 0; attempt < 2; ++attempt) {
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { ring.begin(0); }),
                    "frame 3 needs the slot of frame 1, which is in flight");
  }
  EXPECT_EQ(ring.begin(1).value, 3u);
  sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { ring.begin(1); });
  EXPECT_EQ(ring.begin(3).value, 4u);
}

TEST(FrameRing, RefusesWhatCannotBe) {
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [] { FrameRing(0); }), "needs a slot");
  FrameRing ring(2);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { ring.begin(1); }), "cannot have completed");
}

}  // namespace
}  // namespace slu::test
