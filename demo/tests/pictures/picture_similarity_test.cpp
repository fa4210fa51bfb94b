// The measure passes what another driver's rounding moves, and fails what a person sees.
#include "picture_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "picture_file.h"

namespace {

uint8_t& channelAt(Picture& picture, int x, int y, int channel) {
  return picture.rgb[static_cast<size_t>(3 * (y * picture.width + x) + channel)];
}

uint8_t clampedAt(const Picture& picture, int x, int y, int channel) {
  const int column = std::clamp(x, 0, picture.width - 1), row = std::clamp(y, 0, picture.height - 1);
  return picture.rgb[static_cast<size_t>(3 * (row * picture.width + column) + channel)];
}

// value: of a picture's channel at x, y.
template <typename Value>
Picture changed(const Picture& picture, Value value) {
  Picture result = picture;
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x)
      for (int channel = 0; channel < 3; ++channel)
        channelAt(result, x, y, channel) = static_cast<uint8_t>(value(x, y, channel));
  return result;
}

class PictureSimilarity : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    picture_ = readPicture((std::string(DEMO_REFERENCES) + '/' + GetParam() + ".png").c_str());
    ASSERT_FALSE(picture_.rgb.empty());
  }
  bool isLike(const Picture& other) const {
    const Similarity found = similarity(picture_, other);
    std::printf("structural similarity %.5f, unlike in %.3f %%, mean difference %.3f\n", found.mean,
                100.0 * found.unlikeShare, found.meanDifference);
    return areAlike(found);
  }

  Picture picture_;
};

TEST_P(PictureSimilarity, PassesTheSamePicture) {
  const Similarity found = similarity(picture_, picture_);
  EXPECT_DOUBLE_EQ(found.mean, 1.0);
  EXPECT_EQ(found.unlikeShare, 0.0);
  EXPECT_EQ(found.meanDifference, 0.0);
}

// A step up or down in every channel, and in a pixel of 500 a quarter of its neighbour: a sample of four.
TEST_P(PictureSimilarity, PassesRounding) {
  std::mt19937 random(1);
  std::uniform_int_distribution<int> step(-1, 1), pixel(0, 499);
  bool isEdge = false;
  EXPECT_TRUE(isLike(changed(picture_, [&](int x, int y, int channel) {
    if (channel == 0) isEdge = pixel(random) == 0;
    const int here = clampedAt(picture_, x, y, channel), next = clampedAt(picture_, x + 1, y, channel);
    return std::clamp((isEdge ? (3 * here + next) / 4 : here) + step(random), 0, 255);
  })));
}

TEST_P(PictureSimilarity, FailsAShiftByAPixel) {
  EXPECT_FALSE(isLike(changed(picture_, [&](int x, int y, int c) { return clampedAt(picture_, x - 1, y, c); })));
}

TEST_P(PictureSimilarity, FailsABlur) {
  EXPECT_FALSE(isLike(changed(picture_, [&](int x, int y, int c) {
    int sum = 0;
    for (const int row : {y - 1, y, y + 1})
      for (const int column : {x - 1, x, x + 1}) sum += clampedAt(picture_, column, row, c);
    return sum / 9;
  })));
}

TEST_P(PictureSimilarity, FailsAnotherTint) {
  EXPECT_FALSE(isLike(changed(picture_, [&](int x, int y, int c) {
    return std::clamp(clampedAt(picture_, x, y, c) + (c == 0 ? 6 : c == 2 ? -6 : 0), 0, 255);
  })));
}

TEST_P(PictureSimilarity, FailsAnotherSize) {
  Picture wider = picture_;
  std::swap(wider.width, wider.height);
  EXPECT_FALSE(isLike(wider));
}

// One rock, of ten pixels, gives way to the sky above it.
TEST(PictureSimilarityOfAsteroids, FailsAMissingInstance) {
  const Picture picture = readPicture(DEMO_REFERENCES "/asteroids.png");
  const Similarity found = similarity(picture, changed(picture, [&](int x, int y, int c) {
                                        const bool isRock = std::abs(x - 146) <= 6 && std::abs(y - 56) <= 6;
                                        return clampedAt(picture, x, isRock ? y - 14 : y, c);
                                      }));
  EXPECT_FALSE(areAlike(found)) << found.mean << ", unlike " << found.unlikeShare;
}

INSTANTIATE_TEST_SUITE_P(References, PictureSimilarity, testing::Values("asteroids", "asteroids-frozen", "points"));

}  // namespace
