#include "base/count_text.h"

#include <gtest/gtest.h>

#include "random.h"

namespace bench {
namespace {

TEST(CountText, ReadsDigitsAndPowers) {
  EXPECT_EQ(parseCount("0"), 0u);
  EXPECT_EQ(parseCount("1000003"), 1000003u);
  EXPECT_EQ(parseCount("4294967295"), 4294967295u);
  EXPECT_EQ(parseCount("2^0"), 1u);
  EXPECT_EQ(parseCount("2^28"), 268435456u);
  EXPECT_EQ(parseCount("2^31"), 2147483648u);
}

TEST(CountText, RefusesTheRest) {
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1e3", "0x10", "4294967296", "2^", "2^32", "2^-1", "2^2^2",
                           "3^2", "^2", "1.5", "two"})
    EXPECT_FALSE(parseCount(text)) << '\'' << text << '\'';
}

TEST(CountText, WritesWhatItReads) {
  EXPECT_EQ(formatCount(0), "0");
  EXPECT_EQ(formatCount(512), "512");
  EXPECT_EQ(formatCount(1024), "2^10");
  EXPECT_EQ(formatCount(1025), "1025");
  EXPECT_EQ(formatCount(1u << 31), "2^31");
  SCOPED_TRACE(slu::test::describeSeed());
  slu::test::Random random;
  for (int i = 0; i < 1000; ++i) {
    const uint32_t count = random.chance(0.5) ? random.word() : 1u << random.below(32);
    EXPECT_EQ(parseCount(formatCount(count)), count);
  }
}

}  // namespace
}  // namespace bench
