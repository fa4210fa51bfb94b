// The street of the study of occlusion, its judge, and Sluice's reference on it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "occlusion/levels.h"
#include "occlusion/sluice_street.h"
#include "occlusion/traffic.h"
#include "random.h"
#include "workload/traffic.h"

namespace bench {
namespace {

using slu::test::describeSeed;
using slu::test::Random;

constexpr StreetFrame kStreetFrames[] = {StreetFrame::Whole, StreetFrame::First, StreetFrame::Second,
                                         StreetFrame::Single};

StreetSettings smallStreet(Random& random) {
  StreetSettings settings;
  settings.recordCount = random.between(9000, 12000);
  settings.bucketCount = random.between(2, 64);
  settings.width = random.between(200, 500);
  settings.height = random.between(120, 300);
  settings.order = random.chance(0.5) ? RecordOrder::ByPlace : RecordOrder::Scattered;
  settings.seed = random.word();
  return settings;
}

uint64_t countOf(const std::vector<uint8_t>& kept) {
  return static_cast<uint64_t>(std::count(kept.begin(), kept.end(), uint8_t{1}));
}

// A fifth to a half of the records are in the frustum, and walls hide 60 to 80 % of these.
TEST(Occlusion, WallsHideMostOfWhatTheFrustumHolds) {
  Random random;
  StreetSettings settings;
  settings.recordCount = 1u << 15;
  settings.width = 960;
  settings.height = 540;
  settings.seed = random.word();
  for (const RecordOrder order : {RecordOrder::Scattered, RecordOrder::ByPlace}) {
    settings.order = order;
    const Street street = makeStreet(settings);
    CpuStreet reference(street);
    const auto inFrustum = static_cast<double>(countOf(reference.run(StreetFrame::Whole, {}).kept));
    const auto visible = static_cast<double>(countOf(reference.run(StreetFrame::Single, {}).kept));
    EXPECT_GT(inFrustum / settings.recordCount, 0.2) << describeSeed();
    EXPECT_LT(inFrustum / settings.recordCount, 0.5) << describeSeed();
    EXPECT_GT(1 - visible / inFrustum, 0.6) << describeSeed();
    EXPECT_LT(1 - visible / inFrustum, 0.8) << describeSeed();
  }
}

TEST(Occlusion, StreetsComeFromTheirSeed) {
  Random random;
  StreetSettings settings = smallStreet(random);
  settings.order = RecordOrder::Scattered;
  const Street scattered = makeStreet(settings);
  settings.order = RecordOrder::ByPlace;
  const Street byPlace = makeStreet(settings);
  // They have the same records. Those that follow one another are near one another, or not.
  const auto sorted = [](const Street& street) {
    std::vector<float> positions;
    for (const StreetMatrix& matrix : street.matrices) positions.push_back(matrix.rows[0][3]);
    std::sort(positions.begin(), positions.end());
    return positions;
  };
  const auto steps = [](const Street& street) {
    double sum = 0;
    for (size_t i = 1; i < street.matrices.size(); ++i)
      sum += std::abs(street.matrices[i].rows[2][3] - street.matrices[i - 1].rows[2][3]);
    return sum;
  };
  EXPECT_EQ(sorted(scattered), sorted(byPlace)) << describeSeed();
  EXPECT_LT(10 * steps(byPlace), steps(scattered)) << describeSeed();
  ++settings.seed;
  EXPECT_NE(sorted(makeStreet(settings)), sorted(byPlace)) << describeSeed();
  for (const uint32_t bucket : byPlace.buckets) ASSERT_LT(bucket, settings.bucketCount);
  for (const float depth : byPlace.depths) ASSERT_TRUE(depth >= 0 && depth < 1) << depth;
}

TEST(Occlusion, TurnedBitsAreATenth) {
  Random random;
  const StreetSettings settings = smallStreet(random);
  const std::vector<uint32_t> bits(settings.recordCount / 32 + 1, 0x12345678u);
  const std::vector<uint32_t> turned = turnedBits(settings, bits);
  uint32_t count = 0;
  for (uint32_t record = 0; record < settings.recordCount; ++record) {
    EXPECT_EQ(hasBit(bits, record) != hasBit(turned, record), isTurned(settings, record));
    count += isTurned(settings, record) ? 1 : 0;
  }
  EXPECT_NEAR(count, settings.recordCount / 10.0, settings.recordCount / 50.0) << describeSeed();
}

// What the library's reference keeps is what the judge expects, who shares no code with it. Both phases together keep
// what a single one keeps, and what the last frame saw.
TEST(Occlusion, TheReferenceKeepsWhatTheJudgeExpects) {
  Random random;
  for (int round = 0; round < 4; ++round) {
    const StreetSettings settings = smallStreet(random);
    const Street street = makeStreet(settings);
    const std::vector<uint8_t> sights = sightsOf(street);
    CpuStreet reference(street);
    const StreetRun single = reference.run(StreetFrame::Single, {});
    for (const auto& last : {single.visible, turnedBits(settings, single.visible)}) {
      for (const StreetFrame frame : kStreetFrames)
        EXPECT_EQ(sightDifference(sights, frame, last, reference.run(frame, last).kept).value_or(""), "")
            << static_cast<int>(frame) << ", " << describeSeed();
      const std::vector<uint8_t> whole = reference.run(StreetFrame::Whole, {}).kept;
      const std::vector<uint8_t> first = reference.run(StreetFrame::First, last).kept;
      const StreetRun second = reference.run(StreetFrame::Second, last);
      EXPECT_EQ(second.visible, single.visible) << describeSeed();
      for (uint32_t record = 0; record < settings.recordCount; ++record) {
        const bool isDrawn = single.kept[record] != 0 || (whole[record] != 0 && hasBit(last, record));
        ASSERT_EQ(first[record] + second.kept[record], isDrawn ? 1 : 0) << record << ", " << describeSeed();
      }
    }
  }
}

// The judge has an answer for nearly all records, so that it finds a method which hides too much or too little.
TEST(Occlusion, TheJudgeKnowsMostRecords) {
  Random random;
  StreetSettings settings = smallStreet(random);
  settings.width = 1920;
  settings.height = 1080;
  const Street street = makeStreet(settings);
  CpuStreet reference(street);
  const std::vector<uint8_t> sights = sightsOf(street);
  const std::vector<uint8_t> whole = reference.run(StreetFrame::Whole, {}).kept;
  const std::vector<uint8_t> single = reference.run(StreetFrame::Single, {}).kept;
  uint32_t visible = 0, hidden = 0, showing = 0, buried = 0;
  for (uint32_t record = 0; record < settings.recordCount; ++record) {
    if (whole[record] == 0) continue;
    ++(single[record] != 0 ? visible : hidden);
    showing += (sights[record] & kShows) != 0 ? 1 : 0;
    buried += (sights[record] & kBuried) != 0 ? 1 : 0;
    EXPECT_NE(sights[record] & (kShows | kBuried), kShows | kBuried) << record << ", " << describeSeed();
  }
  EXPECT_GT(showing, visible * 0.8) << describeSeed();
  EXPECT_GT(buried, hidden * 0.8) << describeSeed();
}

// The sight of single records, whose place says what it is.
TEST(Occlusion, TheJudgeKnowsWhatIsBehindAWall) {
  StreetSettings settings;
  settings.recordCount = 6;
  settings.width = 1920;
  settings.height = 1080;
  Street street = makeStreet(settings);
  const auto put = [&](uint32_t record, float x, float y, float z) {
    street.boxes[record] = {{0, 0, 0}, {0.5f, 0.5f, 0.5f}};
    street.matrices[record] = {{{1, 0, 0, x}, {0, 1, 0, y}, {0, 0, 1, z}}};
  };
  put(0, 0, 0, 50);       // in the street
  put(1, 30, 0, 50);      // behind the wall, which the ray to it meets at z = 17
  put(2, 15, 0, 100);     // behind the wall, at 67 of it; the cross street ends at 72
  put(3, 0, 0, -50);      // behind the camera
  put(4, 0, 0, 0);        // around the camera
  put(5, 30, -1.9f, 50);  // behind the wall, and half in the ground
  const std::vector<uint8_t> sights = sightsOf(street);
  EXPECT_EQ(sights[0], kInside | kShows);
  EXPECT_EQ(sights[1], kInside | kBuried);
  EXPECT_EQ(sights[2], kInside | kBuried);
  EXPECT_EQ(sights[3], kOutside);
  EXPECT_EQ(sights[4], kInside | kShows);
  EXPECT_EQ(sights[5], kInside | kBuried);
}

TEST(Occlusion, TheJudgeFindsWhatIsWrong) {
  const std::vector<uint8_t> sights = {kInside | kShows, kInside | kBuried, kOutside, kInside, 0};
  const std::vector<uint32_t> last = {0b01010};
  const auto wrong = [&](StreetFrame frame, const std::vector<uint8_t>& kept) {
    return sightDifference(sights, frame, last, kept).value_or("");
  };
  EXPECT_EQ(wrong(StreetFrame::Whole, {1, 1, 0, 1, 0}), "");
  EXPECT_EQ(wrong(StreetFrame::Whole, {1, 1, 0, 1, 1}), "");
  EXPECT_EQ(wrong(StreetFrame::Whole, {1, 0, 0, 1, 0}), "record 1 is dropped, and shows");
  EXPECT_EQ(wrong(StreetFrame::Whole, {1, 1, 1, 1, 0}), "record 2 is kept, and must not be");
  EXPECT_EQ(wrong(StreetFrame::Single, {1, 0, 0, 0, 0}), "");
  EXPECT_EQ(wrong(StreetFrame::Single, {1, 0, 0, 1, 1}), "");
  EXPECT_EQ(wrong(StreetFrame::Single, {0, 0, 0, 1, 0}), "record 0 is dropped, and shows");
  EXPECT_EQ(wrong(StreetFrame::Single, {1, 1, 0, 1, 0}), "record 1 is kept, and must not be");
  EXPECT_EQ(wrong(StreetFrame::First, {0, 1, 0, 1, 0}), "");
  EXPECT_EQ(wrong(StreetFrame::First, {1, 1, 0, 1, 0}), "record 0 is kept, and must not be");
  EXPECT_EQ(wrong(StreetFrame::First, {0, 1, 0, 0, 0}), "record 3 is dropped, and shows");
  EXPECT_EQ(wrong(StreetFrame::Second, {1, 0, 0, 0, 0}), "");
  EXPECT_EQ(wrong(StreetFrame::Second, {1, 0, 0, 1, 0}), "record 3 is kept, and must not be");
  EXPECT_EQ(wrong(StreetFrame::Second, {0, 0, 0, 0, 0}), "record 0 is dropped, and shows");
}

TEST(Occlusion, DrawsAndIndicesAreJudged) {
  StreetSettings settings;
  settings.recordCount = 5;
  settings.bucketCount = 2;
  settings.width = settings.height = 8;
  Street street = makeStreet(settings);
  street.buckets = {0, 1, 0, 1, 1};
  const std::vector<DrawCommand> draws = {{kDrawVertexCount, 1, 0, 0}, {kDrawVertexCount, 2, 0, 3}};
  const std::vector<uint32_t> indices = {2, kPoisonWord, kPoisonWord, 4, 1, kPoisonWord};
  std::vector<uint8_t> kept;
  const auto wrong = [&](const std::vector<DrawCommand>& d, const std::vector<uint32_t>& i) {
    return readKept(street, 3, d, i, kept).value_or("");
  };
  EXPECT_EQ(wrong(draws, indices), "");
  EXPECT_EQ(kept, (std::vector<uint8_t>{0, 1, 1, 0, 1}));
  const auto withDraw = [&](DrawCommand draw) { return std::vector<DrawCommand>{draws[0], draw}; };
  EXPECT_NE(wrong(withDraw({kDrawVertexCount, 4, 0, 3}), indices), "");
  EXPECT_NE(wrong(withDraw({kDrawVertexCount, 2, 0, 2}), indices), "");
  EXPECT_NE(wrong(withDraw({kDrawVertexCount, 2, 1, 3}), indices), "");
  EXPECT_NE(wrong(withDraw({35, 2, 0, 3}), indices), "");
  EXPECT_EQ(wrong(draws, {2, 0, 0, 4, kPoisonWord, 0}), "place 4 holds 2779096485, which is no record");
  EXPECT_EQ(wrong(draws, {2, 0, 0, 4, 0, 0}), "bucket 1 holds record 0 of bucket 0");
  EXPECT_EQ(wrong(draws, {2, 0, 0, 4, 4, 0}), "record 4 is there twice");
}

// By the sectors that a mark per sector counts.
TEST(Occlusion, BytesAreThoseOfSectors) {
  Random random;
  const StreetSettings settings = smallStreet(random);
  const Street street = makeStreet(settings);
  std::vector<uint32_t> last(street.visibilityWords());
  std::vector<uint8_t> kept(settings.recordCount);
  for (uint32_t& word : last) word = random.word() & random.word() & random.word();
  for (uint8_t& each : kept) each = random.chance(0.1) ? 1 : 0;
  const auto sectors = [&](size_t bytes, const auto& isRead) {
    std::vector<bool> marks(settings.recordCount * bytes / kSectorBytes + 1);
    for (uint32_t record = 0; record < settings.recordCount; ++record)
      for (size_t at = 0; isRead(record) && at < bytes; ++at) marks[(record * bytes + at) / kSectorBytes] = true;
    return static_cast<uint64_t>(std::count(marks.begin(), marks.end(), true)) * kSectorBytes;
  };
  const auto isNamed = [&](uint32_t record) { return hasBit(last, record); };
  const auto always = [](uint32_t) { return true; };
  const uint64_t written = countOf(kept) * 4 + settings.bucketCount * sizeof(DrawCommand) +
                           sectors(4, [&](uint32_t record) { return kept[record] != 0; });
  const uint64_t bits = uint64_t{street.visibilityWords()} * 4;
  const uint64_t all = sectors(24, always) + sectors(48, always) + written;
  EXPECT_EQ(frameBytes(street, StreetFrame::Whole, {}, kept), all) << describeSeed();
  EXPECT_EQ(frameBytes(street, StreetFrame::Single, {}, kept), all + bits) << describeSeed();
  EXPECT_EQ(frameBytes(street, StreetFrame::Second, last, kept), all + 2 * bits) << describeSeed();
  EXPECT_EQ(frameBytes(street, StreetFrame::First, last, kept),
            sectors(24, isNamed) + sectors(48, isNamed) + written + bits)
      << describeSeed();
}

// The levels of the competitor lie as the library's do behind their header, so the study compares them with these.
TEST(Occlusion, LevelsLieAsTheLibrarysDo) {
  Random random;
  for (int round = 0; round < 4; ++round) {
    StreetSettings settings = smallStreet(random);
    settings.recordCount = 1;
    const Street street = makeStreet(settings);
    const CpuStreet reference(street);
    Levels levels;
    const uint32_t texelCount = layOutLevels(settings, levels);
    ASSERT_LE(SLU_PYRAMID_HEADER_WORDS + texelCount, reference.pyramid().size()) << describeSeed();
    std::vector<float> texels(texelCount);
    std::memcpy(texels.data(), reference.pyramid().data() + SLU_PYRAMID_HEADER_WORDS, texelCount * sizeof(float));
    for (uint32_t level = 0; level < levels.count; ++level) {
      const uint32_t x = random.below(settings.width), y = random.below(settings.height);
      float farthest = 1.0f;
      for (uint32_t row = 0; row < settings.height; ++row)
        for (uint32_t column = 0; column < settings.width; ++column)
          if (row >> (level + 1) == y >> (level + 1) && column >> (level + 1) == x >> (level + 1))
            farthest = std::min(farthest, street.depths[size_t{row} * settings.width + column]);
      const uint32_t place = (y >> (level + 1)) * levels.widthOf(level) + (x >> (level + 1));
      EXPECT_EQ(texels[levels.starts[level] + place], farthest) << "level " << level << ", " << describeSeed();
    }
  }
}

// 1920 x 1080 pixels, and 960 x 540 texels to a single one.
TEST(Occlusion, LevelsAreHalves) {
  StreetSettings settings;
  Levels levels;
  EXPECT_EQ(layOutLevels(settings, levels), 691'302u);
  EXPECT_EQ(levels.count, 11u);
  EXPECT_EQ(levels.starts[1], 960u * 540u);
  EXPECT_EQ(levels.starts[2], 960u * 540u + 480u * 270u);
  EXPECT_EQ(pyramidBytes(settings), (1920u * 1080u + 691'302u) * 4u);
  settings.width = 5;
  settings.height = 1;
  EXPECT_EQ(layOutLevels(settings, levels), 3u + 2u + 1u);
}

}  // namespace
}  // namespace bench
