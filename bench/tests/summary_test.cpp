#include "arena/summary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "random.h"

namespace bench {
namespace {

TEST(Summary, OfOneSample) {
  const Summary summary = summarize({7.5});
  EXPECT_EQ(summary.median, 7.5);
  EXPECT_EQ(summary.percentile10, 7.5);
  EXPECT_EQ(summary.percentile90, 7.5);
}

TEST(Summary, LiesBetweenSamples) {
  EXPECT_DOUBLE_EQ(percentile({2, 1}, 0.5), 1.5);
  EXPECT_DOUBLE_EQ(percentile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(percentile({40, 10, 30, 20}, 0.5), 25);
  EXPECT_DOUBLE_EQ(percentile({10, 20, 30, 40}, 0.1), 13);
  EXPECT_DOUBLE_EQ(percentile({10, 20, 30, 40}, 0.0), 10);
  EXPECT_DOUBLE_EQ(percentile({10, 20, 30, 40}, 1.0), 40);
}

// Shuffled 0, 1, ... n - 1: the percentile at f is f * (n - 1).
TEST(Summary, OfShuffledSamples) {
  SCOPED_TRACE(slu::test::describeSeed());
  slu::test::Random random;
  for (int i = 0; i < 100; ++i) {
    std::vector<double> samples(random.between(1, 200));
    for (size_t k = 0; k < samples.size(); ++k) samples[k] = static_cast<double>(k);
    for (size_t k = samples.size() - 1; k > 0; --k)
      std::swap(samples[k], samples[random.below(static_cast<uint32_t>(k + 1))]);
    const double last = static_cast<double>(samples.size() - 1);
    const Summary summary = summarize(samples);
    EXPECT_NEAR(summary.median, 0.5 * last, 1e-9);
    EXPECT_NEAR(summary.percentile10, 0.1 * last, 1e-9);
    EXPECT_NEAR(summary.percentile90, 0.9 * last, 1e-9);
  }
}

}  // namespace
}  // namespace bench
