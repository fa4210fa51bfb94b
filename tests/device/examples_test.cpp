// The examples of docs/guide/device.md do what the page says.
#include "examples.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "grids.h"

namespace slu::test {
namespace {

class DeviceExamples : public DeviceTest {};

std::vector<unsigned> sorted(std::vector<unsigned> values) {
  std::ranges::sort(values);
  return values;
}

// Blocks of `records` items each; the list is smaller than it should be in some trials.
void checkList(ExampleKernels::List kernel, unsigned threads, unsigned records) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const unsigned count = random.below(4 * records + 1);
    std::vector<float> ageOf(count);
    std::vector<unsigned> alive;
    for (unsigned i = 0; i < count; ++i) {
      ageOf[i] = random.chance(0.1) ? std::numeric_limits<float>::quiet_NaN() : random.uniform(-1, 1);
      if (ageOf[i] > 0) alive.push_back(i);
    }
    const auto demanded = static_cast<unsigned>(alive.size());
    const unsigned capacity = random.chance(0.5) ? demanded : random.below(demanded + 1);
    const Array<float> ages(ageOf);
    const Array<unsigned> list(capacity), listCount(1, 0u);
    ASSERT_TRUE(
        launch(count / records + 1, {threads}, kernel, ages.data(), count, list.data(), capacity, listCount.data()));
    ASSERT_EQ(listCount[0], demanded) << describeSeed();
    const std::vector<unsigned> listed = sorted({list.data(), list.data() + capacity});
    ASSERT_TRUE(std::ranges::includes(alive, listed)) << describeSeed();
    ASSERT_EQ(std::ranges::adjacent_find(listed), listed.end()) << describeSeed();
  }
}

TEST_F(DeviceExamples, Append) { checkList(exampleKernels.append, 96, 96); }
TEST_F(DeviceExamples, AppendByTile) { checkList(exampleKernels.appendByTile, 256, exampleKernels.tileRecords); }

TEST_F(DeviceExamples, Histogram) {
  Random random;
  const Array<unsigned char> texels(random.below(5000));
  const Array<unsigned> bins(256, 0);
  std::vector<unsigned> expected(256);
  for (unsigned i = 0; i < texels.size(); ++i) {
    texels[i] = static_cast<unsigned char>(random.chance(0.5) ? i / 100 : random.below(256));
    ++expected[texels[i]];
  }
  ASSERT_TRUE(
      launch(3, {128}, exampleKernels.histogram, texels.data(), static_cast<unsigned>(texels.size()), bins.data()));
  EXPECT_EQ(std::vector<unsigned>(bins.data(), bins.data() + 256), expected) << describeSeed();
}

TEST_F(DeviceExamples, Cells) {
  Random random;
  constexpr unsigned kCells = 50;
  const unsigned count = random.below(3000), blocks = count / 128 + 1;
  const Array<unsigned> cellOf(sorted(randomKeys(random, count, kCells)));
  const Array<float> masses(count), cellMass(kCells, 0);
  const Array<int> nearest(kCells, std::numeric_limits<int>::max());
  std::vector<float> sums(kCells);
  std::vector<int> least(kCells, std::numeric_limits<int>::max());
  for (unsigned i = 0; i < count; ++i) {
    masses[i] = static_cast<float>(random.below(100)) / 4;
    sums[cellOf[i]] += masses[i];
    least[cellOf[i]] = std::min(least[cellOf[i]], std::bit_cast<int>(masses[i]));
  }
  ASSERT_TRUE(launch(blocks, {128}, exampleKernels.addMasses, cellOf.data(), masses.data(), count, cellMass.data()));
  ASSERT_TRUE(launch(blocks, {128}, exampleKernels.findNearest, cellOf.data(), masses.data(), count, nearest.data()));
  EXPECT_EQ(std::vector<float>(cellMass.data(), cellMass.data() + kCells), sums) << describeSeed();
  EXPECT_EQ(std::vector<int>(nearest.data(), nearest.data() + kCells), least) << describeSeed();
}

}  // namespace
}  // namespace slu::test
