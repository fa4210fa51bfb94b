// Levels of detail against the header's words: lengths in doubles, and plain loops over masks.
#include <gtest/gtest.h>
#include <sluice/culling.h>

#include <algorithm>
#include <cmath>

#include "floats.h"
#include "random.h"

namespace slu::test {
namespace {

// 10 to a power that lies evenly between the two.
float makeLength(float low, float high, Random& random) { return std::pow(10.0f, random.uniform(low, high)); }

float square(float a) { return a * a; }

// Wherever both sides of threshold + radius <= distance differ by more than rounding, squares decide as lengths do.
void expectDecidesAsLengthsDo(float low, float high, bool hasRadius) {
  Random random;
  SCOPED_TRACE(describeSeed());
  int counts[2] = {};
  for (int i = 0; i < 300'000; ++i) {
    const float distance = makeLength(low, high, random);
    const float threshold = random.chance(0.5) ? distance * random.uniform(0.0f, 1.2f) : makeLength(low, high, random);
    float radius = hasRadius ? makeLength(low, high, random) : 0.0f;
    // Half of them lie near the boundary.
    if (hasRadius && threshold < distance && random.chance(0.5)) {
      radius = (distance - threshold) * (1.0f + random.uniform(-1e-4f, 1e-4f));
    }
    const double sum = double{threshold} + double{radius}, far = double{distance};
    if (std::fabs(sum - far) <= 1e-5 * std::max(sum, far)) continue;
    const bool isReached = sluReachesLod(sluThreshold2(threshold, 1.0f), square(radius), square(distance));
    ASSERT_EQ(isReached, sum <= far) << threshold << " + " << radius << " and " << distance;
    ++counts[isReached ? 1 : 0];
  }
  EXPECT_GT(counts[0], 20'000);
  EXPECT_GT(counts[1], 20'000);
}

TEST(Lods, SquaresDecideAsLengthsDo) {
  expectDecidesAsLengthsDo(-3.0f, 3.0f, true);
  expectDecidesAsLengthsDo(-8.0f, 8.0f, true);  // fourth powers of lengths are no denormals
  expectDecidesAsLengthsDo(-18.0f, 18.0f, false);
}

TEST(Lods, BeginExactlyAtTheirDistance) {
  Random random;
  SCOPED_TRACE(describeSeed());
  for (int i = 0; i < 10'000; ++i) {
    const float threshold2 = square(makeLength(-9.0f, 18.0f, random));
    EXPECT_TRUE(sluReachesLod(threshold2, 0.0f, threshold2));
    EXPECT_TRUE(sluReachesLod(threshold2, 0.0f, std::nextafter(threshold2, kInfinity)));
    EXPECT_FALSE(sluReachesLod(threshold2, 0.0f, std::nextafter(threshold2, 0.0f)));
  }
  EXPECT_TRUE(sluReachesLod(0.0f, 0.0f, 0.0f));
  EXPECT_TRUE(sluReachesLod(9.0f, 16.0f, 49.0f));  // 3 + 4 <= 7
  EXPECT_FALSE(sluReachesLod(9.0f, 16.0f, 48.9999f));
  EXPECT_FALSE(sluReachesLod(9.0f, 16.0f, 1.0f));  // both sides of the first comparison are negative
}

TEST(Lods, ThresholdsThatAreNoneAreNeverReached) {
  for (const float threshold : {-1.0f, -1e-30f, kNan, -kNan, kInfinity, -kInfinity, 2e19f}) {
    for (const float stretch2 : {1.0f, 4.0f}) {
      const float threshold2 = sluThreshold2(threshold, stretch2);
      EXPECT_FALSE(sluReachesLod(threshold2, 0.0f, 1e36f)) << threshold;
      EXPECT_FALSE(sluReachesLod(threshold2, 1.0f, 1e36f)) << threshold;
    }
  }
  for (const float stretch2 : {kNan, kInfinity})
    EXPECT_FALSE(sluReachesLod(sluThreshold2(1.0f, stretch2), 0.0f, 1e36f));
  EXPECT_TRUE(sluReachesLod(sluThreshold2(-0.0f, 1.0f), 0.0f, 0.0f));
}

TEST(Lods, GrowWithTheStretch) {
  EXPECT_EQ(sluThreshold2(3.0f, 1.0f), 9.0f);
  EXPECT_EQ(sluThreshold2(3.0f, 4.0f), 36.0f);
  EXPECT_EQ(sluThreshold2(0.0f, 4.0f), 0.0f);
}

TEST(Lods, MasksHaveTheLodsOfBoth) {
  for (std::uint32_t lodCount = 1; lodCount <= SLU_MAX_LODS; ++lodCount) {
    for (const std::uint32_t meshLodCount : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 31u, 32u, 33u, 0x80000000u, ~0u}) {
      for (std::uint32_t low = 0; low < 512; ++low) {
        for (const std::uint32_t high : {0u, 0xfffffe00u}) {
          const std::uint32_t mask = sluLodMask(meshLodCount, low | high, lodCount);
          for (std::uint32_t lod = 0; lod < 32; ++lod) {
            const bool isThere = lod < lodCount && lod < meshLodCount && ((low | high) >> lod & 1) != 0;
            ASSERT_EQ((mask >> lod & 1) != 0, isThere) << lodCount << " LODs, " << meshLodCount
                                                       << " of the mesh, resident " << (low | high) << ", LOD " << lod;
          }
        }
      }
    }
  }
}

TEST(Lods, TheNextCoarserOneStandsInElseTheNextFinerOne) {
  for (std::uint32_t lodCount = 1; lodCount <= SLU_MAX_LODS; ++lodCount) {
    for (std::uint32_t mask = 0; mask < 1u << lodCount; ++mask) {
      for (std::uint32_t lod = 0; lod < lodCount; ++lod) {
        std::uint32_t expected = SLU_MAX_LODS;
        for (std::uint32_t distance = lodCount; distance-- > 0;) {  // finer ones, the nearest one last
          if (distance <= lod && (mask >> (lod - distance) & 1) != 0) expected = lod - distance;
        }
        for (std::uint32_t coarser = lodCount; coarser-- > lod;) {
          if ((mask >> coarser & 1) != 0) expected = coarser;
        }
        ASSERT_EQ(sluResidentLod(mask, lod, lodCount), expected) << "mask " << mask << ", LOD " << lod;
      }
    }
  }
}

}  // namespace
}  // namespace slu::test
