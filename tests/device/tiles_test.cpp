// Tiles of every shape in kernels.h: ranks in order, one range of places per tile.
#include <algorithm>

#include "grids.h"
#include "kernels.h"

namespace slu::test {
namespace {

class DeviceTiles : public DeviceTest {};

// The block in one, two or three dimensions.
Shape randomBlock(Random& random, unsigned threads) {
  return random.pick<Shape>({{threads}, {16, threads / 16}, {4, 4, threads / 16}});
}

unsigned randomCount(Random& random, unsigned records) {
  return random.pick(
      {0u, 1u, records - 1, records, records + 1, random.below(4 * records), 3 * records, random.below(33)});
}

// The numbers of the kept items of a tile, in order.
std::vector<unsigned> keptOf(const Array<unsigned char>& keep, unsigned first, unsigned records) {
  std::vector<unsigned> kept;
  for (unsigned i = first; i < std::min<std::size_t>(first + records, keep.size()); ++i) {
    if (keep[i] != 0) kept.push_back(i);
  }
  return kept;
}

void checkTiles(Random& random, const TileKernel& kernel) {
  const unsigned records = kernel.threads * kernel.rows * kernel.group;
  const unsigned count = randomCount(random, records), tileCount = (count + records - 1) / records;
  const double share = random.pick({0.0, 0.02, 0.5, 0.98, 1.0});
  const unsigned long long origin = random.next() >> 1;
  const Array<unsigned char> keep(count);
  unsigned keptCount = 0;
  for (unsigned i = 0; i < count; ++i) keptCount += keep[i] = random.chance(share) ? 1 : 0;
  const Array<unsigned long long> counter(1, origin), firsts(tileCount);
  const Array<unsigned> totals(tileCount), output(keptCount);
  ASSERT_TRUE(launch(random.between(1, 3), randomBlock(random, kernel.threads), kernel.run, keep.data(), count, origin,
                     counter.data(), firsts.data(), totals.data(), output.data()));

  std::vector<Range> taken;
  for (unsigned tile = 0; tile < tileCount; ++tile) {
    const std::vector<unsigned> expected = keptOf(keep, tile * records, records);
    ASSERT_EQ(totals[tile], expected.size()) << "tile " << tile << ", " << describeSeed();
    if (expected.empty()) {
      ASSERT_EQ(firsts[tile], 0u) << "tile " << tile << ", " << describeSeed();
      continue;
    }
    taken.push_back({firsts[tile] - origin, expected.size()});
    ASSERT_LE(taken.back().first + expected.size(), keptCount) << "tile " << tile << ", " << describeSeed();
    const std::vector<unsigned> listed(output.data() + taken.back().first,
                                       output.data() + taken.back().first + expected.size());
    ASSERT_EQ(listed, expected) << "tile " << tile << ", " << describeSeed();
  }
  ASSERT_TRUE(fillWithoutGaps(taken));
  ASSERT_EQ(counter[0], origin + keptCount) << describeSeed();
}

TEST_F(DeviceTiles, ListTheKeptItemsInOrder) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    for (unsigned i = 0; i < tileKernelCount; ++i) {
      const TileKernel& kernel = tileKernels[i];
      ASSERT_NO_FATAL_FAILURE(checkTiles(random, kernel))
          << kernel.threads << " threads, " << kernel.rows << " rows of " << kernel.group << ", " << describeSeed();
    }
  }
}

// A row is loaded at once, so where it lies is promised: a warp's rows one behind the other.
TEST_F(DeviceTiles, HaveTheRowsOfAWarpSideBySide) {
  Random random;
  for (unsigned i = 0; i < tileKernelCount; ++i) {
    const TileKernel& kernel = tileKernels[i];
    const Array<unsigned> items(kernel.threads * kernel.rows);
    ASSERT_TRUE(launch(1, randomBlock(random, kernel.threads), kernel.locate, items.data()));
    for (unsigned thread = 0; thread < kernel.threads; ++thread) {
      for (unsigned row = 0; row < kernel.rows; ++row) {
        const unsigned rowsBefore = thread / 32 * kernel.rows + row;
        ASSERT_EQ(items[thread * kernel.rows + row], (rowsBefore * 32 + thread % 32) * kernel.group)
            << kernel.threads << " threads, thread " << thread << ", row " << row << ", " << describeSeed();
      }
    }
  }
}

}  // namespace
}  // namespace slu::test
