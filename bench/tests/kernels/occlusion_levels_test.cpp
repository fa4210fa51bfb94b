// The kernels of occlusion/levels.cuh on the CPU.
#include <gtest/gtest.h>

#include <algorithm>

#include "occlusion/sight.h"
#include "random.h"
#include "simt/cuda_on_cpu.h"
//
#include "occlusion/levels.cuh"

namespace bench {
namespace {

using slu::test::describeSeed;
using slu::test::Random;

constexpr uint32_t kPoison = 0xa5a5a5a5u;

simt::Launch cullThreads(uint32_t count) {
  return {.grid = std::max(1u, literature::ceilDivide(count, kCullThreads)), .block = kCullThreads};
}

class OcclusionLevels : public testing::Test {
 protected:
  // Folds the depths of a street, level by level.
  void fold(const Street& street) {
    texels_.assign(layOutLevels(street.settings, levels_), -1.0f);
    levels_.texels = texels_.data();
    const float* finer = street.depths.data();
    uint32_t width = street.settings.width, height = street.settings.height;
    for (uint32_t level = 0; level < levels_.count; ++level) {
      const uint32_t levelWidth = levels_.widthOf(level), levelHeight = levels_.heightOf(level);
      const simt::Launch launch = {.grid = {literature::ceilDivide(levelWidth, kFoldThreads),
                                            literature::ceilDivide(levelHeight, kFoldThreads), 1},
                                   .block = {kFoldThreads, kFoldThreads, 1}};
      float* const to = texels_.data() + levels_.starts[level];
      ASSERT_TRUE(simt::launch(launch, foldLevel, finer, width, height, to, levelWidth, levelHeight));
      finer = to;
      width = levelWidth;
      height = levelHeight;
    }
  }

  // Runs a pass, and reads what it kept.
  template <CullPass pass>
  std::vector<uint8_t> cull(const Street& street) {
    const uint32_t capacity = street.bucketCapacity();
    std::vector<DrawCommand> draws(street.settings.bucketCount, {kPoison, kPoison, kPoison, kPoison});
    std::vector<uint32_t> indices(size_t{capacity} * street.settings.bucketCount, kPoison);
    next_.assign(street.settings.recordCount, kPoison);
    const StreetOutput output = {draws.data(), indices.data(), street.settings.bucketCount, capacity};
    const StreetRecords records = {street.buckets.data(), street.boxes.data(), street.matrices.data(),
                                   street.settings.recordCount};
    StreetCamera camera;
    std::copy_n(&street.rows[0][0], 16, &camera.rows[0][0]);
    camera.frustum = street.frustum;
    EXPECT_TRUE(simt::launch(cullThreads(street.settings.bucketCount), resetStreetDraws, output));
    EXPECT_TRUE(simt::launch(cullThreads(street.settings.recordCount), cullStreet<pass>, records, camera, levels_,
                             last_.data(), next_.data(), output));
    std::vector<uint8_t> kept;
    EXPECT_EQ(readKept(street, capacity, draws, indices, kept).value_or(""), "") << describeSeed();
    uint32_t keptCount = 0, writtenCount = 0;
    for (const DrawCommand& draw : draws) keptCount += draw.instanceCount;
    for (const uint32_t index : indices) writtenCount += index != kPoison ? 1 : 0;
    EXPECT_EQ(keptCount, writtenCount) << describeSeed();
    return kept;
  }

  Street randomStreet(uint32_t recordCount) {
    StreetSettings settings;
    settings.recordCount = recordCount;
    settings.bucketCount = random_.between(1, 100);
    settings.width = random_.between(200, 400);
    settings.height = random_.between(100, 250);
    settings.seed = random_.word();
    return makeStreet(settings);
  }

  std::vector<uint32_t> lastBits(const Street& street) const {
    std::vector<uint32_t> bits(street.visibilityWords());
    for (uint32_t record = 0; record < street.settings.recordCount; ++record)
      bits[record / 32] |= last_[record] << record % 32;
    return bits;
  }

  Random random_;
  Levels levels_;
  std::vector<float> texels_;
  std::vector<uint32_t> last_;
  std::vector<uint32_t> next_;
};

// A texel is the farthest of its pixels, whatever the size of the picture.
TEST_F(OcclusionLevels, TexelsAreTheFarthestPixels) {
  for (int round = 0; round < 6; ++round) {
    StreetSettings settings;
    settings.recordCount = 1;
    settings.width = random_.between(1, 150);
    settings.height = random_.between(1, 90);
    Street street = makeStreet(settings);
    for (float& depth : street.depths) depth = random_.uniform(0, 1);
    fold(street);
    for (uint32_t level = 0; level < levels_.count; ++level) {
      std::vector<float> expected(size_t{levels_.widthOf(level)} * levels_.heightOf(level), 1.0f);
      for (uint32_t y = 0; y < settings.height; ++y)
        for (uint32_t x = 0; x < settings.width; ++x) {
          float& texel = expected[size_t{y >> (level + 1)} * levels_.widthOf(level) + (x >> (level + 1))];
          texel = std::min(texel, street.depths[size_t{y} * settings.width + x]);
        }
      const auto first = texels_.begin() + levels_.starts[level];
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), first))
          << settings.width << " x " << settings.height << ", level " << level << ", " << describeSeed();
    }
    EXPECT_EQ(levels_.widthOf(levels_.count - 1) * levels_.heightOf(levels_.count - 1), 1u);
  }
}

TEST_F(OcclusionLevels, PassesKeepWhatTheJudgeExpects) {
  for (const uint32_t count : {1u, kCullThreads, kCullThreads + 1, random_.between(4000, 6000)}) {
    const Street street = randomStreet(count);
    const std::vector<uint8_t> sights = sightsOf(street);
    fold(street);
    for (const double chance : {0.0, 0.3, 1.0}) {
      last_.clear();
      for (uint32_t record = 0; record < count; ++record) last_.push_back(random_.chance(chance) ? 1 : 0);
      const std::vector<uint32_t> bits = lastBits(street);
      const auto expectRight = [&](StreetFrame frame, const std::vector<uint8_t>& kept) {
        EXPECT_EQ(sightDifference(sights, frame, bits, kept).value_or(""), "")
            << static_cast<int>(frame) << ", " << describeSeed();
      };
      expectRight(StreetFrame::Whole, cull<CullPass::Whole>(street));
      expectRight(StreetFrame::First, cull<CullPass::Early>(street));
      EXPECT_EQ(std::count(next_.begin(), next_.end(), kPoison), ptrdiff_t{count}) << "the first phase writes no words";
      const std::vector<uint8_t> kept = cull<CullPass::Late>(street);
      expectRight(StreetFrame::Second, kept);
      for (uint32_t record = 0; record < count; ++record) {
        ASSERT_LE(next_[record], 1u) << record << ", " << describeSeed();
        ASSERT_EQ(kept[record], next_[record] & ~last_[record]) << record << ", " << describeSeed();
      }
    }
  }
}

// Behind a picture that is near everywhere nothing shows but what reaches behind the near plane, and before one that is
// far everywhere all does.
TEST_F(OcclusionLevels, DepthsDecide) {
  Street street = randomStreet(random_.between(2000, 3000));
  last_.assign(street.settings.recordCount, 0);
  const std::vector<uint8_t> whole = cull<CullPass::Whole>(street);
  std::fill(street.depths.begin(), street.depths.end(), 0.0f);
  fold(street);
  EXPECT_EQ(cull<CullPass::Late>(street), whole) << describeSeed();
  std::fill(street.depths.begin(), street.depths.end(), 1.0f);
  fold(street);
  const std::vector<uint8_t> hidden = cull<CullPass::Late>(street);
  EXPECT_LT(std::count(hidden.begin(), hidden.end(), 1), 10) << describeSeed();
  EXPECT_GT(std::count(whole.begin(), whole.end(), 1), 100) << describeSeed();
}

}  // namespace
}  // namespace bench
