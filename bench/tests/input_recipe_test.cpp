#include "workload/input_recipe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "random.h"

namespace bench {
namespace {

using slu::test::Random;

Workload withPattern(Pattern pattern, double survivalPercent, uint32_t recordCount) {
  Workload workload;
  workload.pattern = pattern;
  workload.survivalPercent = survivalPercent;
  workload.recordCount = recordCount;
  return workload;
}

uint32_t liveCount(const Workload& workload, const InputRecipe& recipe) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < workload.recordCount; ++i) count += recipe.word(i, 0) != 0;
  return count;
}

TEST(InputRecipe, MixIsUndone) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  EXPECT_EQ(mix(0), 0u);
  for (int i = 0; i < 100000; ++i) {
    const uint32_t word = random.word();
    EXPECT_EQ(unmix(mix(word)), word);
    EXPECT_EQ(mix(unmix(word)), word);
    const uint32_t name = word & kNameMask;
    EXPECT_LE(mix(name, kNameMask), kNameMask);
    EXPECT_EQ(unmix(mix(name, kNameMask), kNameMask), name);
  }
}

TEST(InputRecipe, FirstWordNamesTheRecord) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (int i = 0; i < 100; ++i) {
    const Workload workload = withPattern(Pattern::Random, 100, 1u << 31);
    const InputRecipe recipe = makeRecipe(workload, random.word());
    EXPECT_EQ(recipe.recordOf(0), 0xffffffffu);
    for (int k = 0; k < 1000; ++k) {
      const uint32_t record = random.below(workload.recordCount);
      ASSERT_NE(recipe.word(record, 0), 0u);
      EXPECT_EQ(recipe.recordOf(recipe.word(record, 0) & ~kLiveBit), 0xffffffffu);
      EXPECT_EQ(recipe.recordOf(recipe.word(record, 0)), record);
    }
    const uint32_t last = workload.recordCount - 1;
    EXPECT_EQ(recipe.recordOf(recipe.word(last, 0)), last);
  }
}

TEST(InputRecipe, ABitSaysWhatTheWordSays) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  const InputRecipe recipe = makeRecipe(withPattern(Pattern::Random, 50, 100003), random.word());
  for (uint32_t record = 0; record < recipe.recordCount; ++record) {
    const uint32_t word = recipe.word(record, 0);
    ASSERT_EQ(word != 0, recipe.isLive(record));
    ASSERT_EQ((word & kLiveBit) == kLiveBit, word != 0);
  }
}

TEST(InputRecipe, NothingAndAllAreExact) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (const Pattern pattern : {Pattern::Random, Pattern::Clustered, Pattern::Alternating}) {
    const Workload none = withPattern(pattern, 0, 100003);
    EXPECT_EQ(liveCount(none, makeRecipe(none, random.word())), 0u) << name(pattern);
    const Workload all = withPattern(pattern, 100, 100003);
    EXPECT_EQ(liveCount(all, makeRecipe(all, random.word())), all.recordCount) << name(pattern);
  }
}

// Within six standard deviations of n independent draws; clusters are drawn together.
TEST(InputRecipe, SurvivalIsMet) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  constexpr uint32_t kRecords = 1u << 20;
  for (const double percent : {1.0, 5.0, 50.0, 95.0}) {
    const double part = percent / 100;
    const double deviation = std::sqrt(part * (1 - part) * kRecords);
    const auto expectNear = [&](Pattern pattern, double tolerance) {
      const Workload workload = withPattern(pattern, percent, kRecords);
      EXPECT_NEAR(liveCount(workload, makeRecipe(workload, random.word())), part * kRecords, tolerance)
          << name(pattern) << ", " << percent << " %";
    };
    expectNear(Pattern::Random, 6 * deviation);
    expectNear(Pattern::Clustered, 6 * deviation * std::sqrt(double{kClusterRecords}));
    expectNear(Pattern::Alternating, 1.001);
  }
}

TEST(InputRecipe, PatternsAreWhatTheyAreCalled) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  const uint32_t seed = random.word();
  const InputRecipe alternating = makeRecipe(withPattern(Pattern::Alternating, 50, 1000), seed);
  const InputRecipe clustered = makeRecipe(withPattern(Pattern::Clustered, 50, 1000), seed);
  const InputRecipe spread = makeRecipe(withPattern(Pattern::Random, 50, 1u << 16), seed);
  uint32_t changes = 0;
  for (uint32_t i = 1; i < 1u << 16; ++i) {
    EXPECT_NE(alternating.isLive(i), alternating.isLive(i - 1)) << i;
    if (i % kClusterRecords != 0) {
      EXPECT_EQ(clustered.isLive(i), clustered.isLive(i - 1)) << i;
    }
    changes += spread.isLive(i) != spread.isLive(i - 1);
  }
  EXPECT_NEAR(changes, 32768, 6 * 128);
}

TEST(InputRecipe, BucketsAreAllUsed) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  Workload workload;
  workload.recordBytes = 8;
  workload.bucketCount = random.between(2, 100);
  const InputRecipe recipe = makeRecipe(workload, random.word());
  std::vector<uint32_t> counts(workload.bucketCount);
  for (uint32_t i = 0; i < 100000; ++i) {
    ASSERT_LT(recipe.word(i, 1), workload.bucketCount);
    ++counts[recipe.word(i, 1)];
  }
  const double mean = 100000.0 / workload.bucketCount;
  for (const uint32_t count : counts) EXPECT_NEAR(count, mean, 7 * std::sqrt(mean));
}

// Records that are spheres where the outputs are indices.
Workload culled(Random& random, Predicate predicate, uint32_t viewCount = 1, Outputs outputs = Outputs::Records) {
  Workload workload = withPattern(random.pick({Pattern::Random, Pattern::Clustered}), 30, 100003);
  workload.recordBytes = predicate == Predicate::Sphere && outputs == Outputs::Indices ? kSphereBytes : 64;
  workload.outputs = outputs;
  workload.predicate = predicate;
  workload.viewCount = viewCount;
  return workload;
}

Sphere sphereOf(const Workload& workload, const InputRecipe& recipe, uint32_t record) {
  const uint64_t offset = workload.hasBoundsBeside()   ? workload.recordsBytes() + uint64_t{record} * 16
                          : workload.recordBytes == 16 ? uint64_t{record} * 16
                                                       : uint64_t{record} * workload.recordBytes + 16;
  uint32_t words[4] = {};
  for (uint32_t i = 0; i < 4; ++i) words[i] = recipe.inputWord(offset / 4 + i);
  Sphere sphere;
  std::memcpy(&sphere, words, sizeof(sphere));
  return sphere;
}

// The test of the frustum, in any arithmetic, agrees with what the recipe says: the distances to the planes are large
// against rounding. Each plane rejects its share alone or with the one at the camera.
TEST(InputRecipe, SpheresAreClearlyInsideOrOutside) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (const Workload& workload : {culled(random, Predicate::Sphere, 1, Outputs::Indices),
                                   culled(random, Predicate::Sphere), culled(random, Predicate::SphereBeside)}) {
    const InputRecipe recipe = makeRecipe(workload, random.word());
    uint32_t dead = 0;
    uint32_t rejects[6] = {};
    for (uint32_t record = 0; record < workload.recordCount; ++record) {
      const Sphere sphere = sphereOf(workload, recipe, record);
      ASSERT_EQ(kFrustum.touches(sphere), recipe.isLive(record)) << record;
      ASSERT_GT(sphere.radius, 0);
      dead += recipe.isLive(record) ? 0 : 1;
      double least = HUGE_VAL;
      for (size_t i = 0; i < 6; ++i) {
        const auto& plane = kFrustum.planes[i];
        const double depth = double{plane[0]} * double{sphere.x} + double{plane[1]} * double{sphere.y} +
                             double{plane[2]} * double{sphere.z} + double{plane[3]} + double{sphere.radius};
        least = std::min(least, depth);
        rejects[i] += depth < 0 ? 1 : 0;
      }
      ASSERT_GT(std::abs(least), 0.1) << record;
    }
    for (const uint32_t count : rejects) EXPECT_GT(count, dead / 10);
  }
}

// Each view's own planes keep what the recipe says, which is what its survival asks. What no two views share and what
// all of them see both add up.
TEST(InputRecipe, ViewsKeepTheirParts) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  constexpr uint32_t kRecords = 50021;
  for (const uint32_t viewCount : {2u, 3u, 8u, 16u})
    for (const double percent : {0.0, 1.0, 5.0, 12.5, 30.0, 50.0, 97.0, 100.0})
      for (const Pattern pattern : {Pattern::Random, Pattern::Alternating}) {
        const Workload workload = {
            64,       kRecords,         percent,          pattern,
            1,        Order::Unordered, Outputs::Records, random.pick({Predicate::Sphere, Predicate::SphereBeside}),
            viewCount};
        const InputRecipe recipe = makeRecipe(workload, random.word());
        std::vector<Frustum> frusta;
        for (uint32_t view = 0; view < viewCount; ++view) frusta.push_back(viewFrustum(workload, view));
        std::vector<uint32_t> kept(viewCount);
        uint32_t keptByAny = 0;
        for (uint32_t record = 0; record < kRecords; ++record) {
          const Sphere sphere = sphereOf(workload, recipe, record);
          uint32_t views = 0;
          for (uint32_t view = 0; view < viewCount; ++view) {
            ASSERT_EQ(frusta[view].touches(sphere), recipe.isLive(record, view))
                << describe(workload) << ", record " << record << ", view " << view;
            kept[view] += recipe.isLive(record, view) ? 1 : 0;
            views += recipe.isLive(record, view) ? 1 : 0;
          }
          keptByAny += views != 0 ? 1 : 0;
        }
        const double part = percent / 100;
        for (const uint32_t count : kept)
          EXPECT_NEAR(count, part * kRecords,
                      pattern == Pattern::Random ? 6 * std::sqrt(part * (1 - part) * kRecords) : 30)
              << describe(workload);
        const uint32_t keptTogether = std::accumulate(kept.begin(), kept.end(), 0u);
        EXPECT_EQ(keptByAny, std::min(keptTogether, kRecords)) << describe(workload);
      }
}

TEST(InputRecipe, ViewsAreFarFromTheirPlanes) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (const uint32_t viewCount : {2u, 16u}) {
    Workload workload = culled(random, Predicate::SphereBeside, viewCount);
    workload.survivalPercent = random.pick({1.0, 5.0, 30.0, 90.0});
    const InputRecipe recipe = makeRecipe(workload, random.word());
    for (uint32_t view = 0; view < viewCount; ++view) {
      const Frustum frustum = viewFrustum(workload, view);
      for (const auto& plane : frustum.planes)
        EXPECT_NEAR(std::hypot(plane[0], plane[1], plane[2]), 1, 1e-6) << "view " << view;
      for (uint32_t record = 0; record < 20000; ++record) {
        const Sphere sphere = sphereOf(workload, recipe, record);
        double least = HUGE_VAL;
        for (const auto& plane : frustum.planes)
          least = std::min(least, double{plane[0]} * double{sphere.x} + double{plane[1]} * double{sphere.y} +
                                      double{plane[2]} * double{sphere.z} + double{plane[3]} + double{sphere.radius});
        ASSERT_EQ(least > 0, recipe.isLive(record, view)) << describe(workload) << ", " << record;
        ASSERT_GT(std::abs(least), 0.01) << describe(workload) << ", " << record;
      }
    }
  }
}

using BoxWords = std::array<uint32_t, 20>;

BoxWords boxWordsOf(const Workload& workload, const InputRecipe& recipe, uint32_t record) {
  BoxWords words{};
  const uint64_t first = workload.recordsBytes() / 4 + uint64_t{record} * words.size();
  for (uint32_t i = 0; i < words.size(); ++i) words[i] = recipe.inputWord(first + i);
  return words;
}

// How far inside a plane the deepest corner of a moved box is. Matrix: words 0 to 11, center: 12 to 14, extents: 15 to
// 17.
double depthOfBox(const BoxWords& words, const float (&plane)[4]) {
  std::array<double, 18> values{};
  for (size_t i = 0; i < values.size(); ++i) {
    float value = 0;
    std::memcpy(&value, &words[i], sizeof(value));
    values[i] = value;
  }
  double deepest = -HUGE_VAL;
  for (uint32_t corner = 0; corner < 8; ++corner) {
    double depth = plane[3];
    for (size_t row = 0; row < 3; ++row) {
      double world = values[4 * row + 3];
      for (size_t axis = 0; axis < 3; ++axis) {
        const double extent = values[15 + axis];
        world += values[4 * row + axis] * (values[12 + axis] + ((corner >> axis & 1) != 0 ? extent : -extent));
      }
      depth += double{plane[row]} * world;
    }
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

// The corners of the boxes agree with what the recipe says, by far more than rounding, and so does the test of the
// input's words. Boxes of several views are smaller and closer to the planes.
TEST(InputRecipe, BoxesAreClearlyInsideOrOutside) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (const uint32_t viewCount : {1u, 9u}) {
    const Workload workload = culled(random, Predicate::BoxBeside, viewCount);
    const InputRecipe recipe = makeRecipe(workload, random.word());
    const uint32_t view = random.below(viewCount);
    const Frustum frustum = viewFrustum(workload, view);
    uint32_t dead = 0;
    uint32_t rejects[6] = {};
    for (uint32_t record = 0; record < workload.recordCount; ++record) {
      const BoxWords words = boxWordsOf(workload, recipe, record);
      MovedBox box;
      std::memcpy(&box, words.data(), sizeof(box));
      ASSERT_EQ(frustum.touches(box), recipe.isLive(record, view)) << record;
      ASSERT_EQ(words[18] | words[19], 0u);
      dead += recipe.isLive(record, view) ? 0 : 1;
      double least = HUGE_VAL;
      for (size_t i = 0; i < 6; ++i) {
        const double depth = depthOfBox(words, frustum.planes[i]);
        least = std::min(least, depth);
        rejects[i] += depth < 0 ? 1 : 0;
      }
      ASSERT_EQ(least > 0, recipe.isLive(record, view)) << record;
      ASSERT_GT(std::abs(least), viewCount == 1 ? 0.1 : 0.01) << record;
    }
    if (viewCount > 1) continue;  // most of what a view does not see is beside it
    for (const uint32_t count : rejects) EXPECT_GT(count, dead / 10);
  }
}

// A box that is turned and moved by its matrix, and whose center is not that of its space.
TEST(Frustum, TouchesMovedBoxes) {
  const MovedBox box = {{{0, -2, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 0}}, {0, 3, 10}, {1, 1.5f, 1}, {0, 0}};
  const auto touches = [&](float x, float y, float z) {
    MovedBox moved = box;  // x from -9 to -3, y from -1 to 1, z from 9 to 11
    moved.matrix[0][3] = x;
    moved.matrix[1][3] = y;
    moved.matrix[2][3] = z;
    return kFrustum.touches(moved);
  };
  EXPECT_TRUE(touches(0, 0, 0));
  EXPECT_TRUE(touches(-7.9f, 0, 0));
  EXPECT_FALSE(touches(-8.1f, 0, 0));
  EXPECT_TRUE(touches(19.9f, 0, 0));
  EXPECT_FALSE(touches(20.1f, 0, 0));
  EXPECT_TRUE(touches(0, 11.9f, 0));
  EXPECT_FALSE(touches(0, 12.1f, 0));
  EXPECT_TRUE(touches(0, -11.9f, 0));
  EXPECT_FALSE(touches(0, -12.1f, 0));
  EXPECT_TRUE(touches(6, 0, -9.9f));
  EXPECT_FALSE(touches(6, 0, -10.1f));
  EXPECT_TRUE(touches(0, 0, 90.9f));
  EXPECT_FALSE(touches(0, 0, 91.1f));
}

// A record is named by its first word even where its bounds are outside.
TEST(InputRecipe, RecordsWithBoundsHaveNames) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  for (const Predicate predicate : {Predicate::Sphere, Predicate::SphereBeside, Predicate::BoxBeside}) {
    const Workload workload = culled(random, predicate);
    const InputRecipe recipe = makeRecipe(workload, random.word());
    for (uint32_t record = 0; record < workload.recordCount; ++record)
      ASSERT_EQ(recipe.recordOf(recipe.inputWord(uint64_t{record} * workload.recordBytes / 4)), record);
  }
}

TEST(InputRecipe, SeedsDiffer) {
  SCOPED_TRACE(slu::test::describeSeed());
  Random random;
  const Workload workload = withPattern(Pattern::Random, 50, 1000);
  const uint32_t seed = random.word();
  const InputRecipe one = makeRecipe(workload, seed);
  const InputRecipe next = makeRecipe(workload, seed + 1);
  uint32_t same = 0;
  for (uint32_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(one.word(i, 1), makeRecipe(workload, seed).word(i, 1));
    same += one.isLive(i) == next.isLive(i);
  }
  EXPECT_NEAR(same, 500, 6 * 16);
}

}  // namespace
}  // namespace bench
