#include "grids.h"

#include <algorithm>
#include <array>

namespace slu::test {

TestGrid::TestGrid(Random& random)
    : blocks(random.between(1, 5)),
      block(random.pick<Shape>(
          {{1}, {7}, {31}, {32}, {33}, {64}, {100}, {256}, {1024}, {16, 16}, {31, 3}, {8, 4, 5}, {1, 1, 37}})) {}

std::vector<unsigned> TestGrid::warps() const {
  std::vector<unsigned> firsts;
  for (unsigned i = 0; i < threadCount(); ++i) {
    if (laneOf(i) == 0) firsts.push_back(i);
  }
  return firsts;
}

unsigned TestGrid::endOf(unsigned first) const {
  return std::min(first + 32, (first / block.count() + 1) * block.count());
}

std::vector<unsigned> randomMasks(Random& random, const TestGrid& grid) {
  std::vector<unsigned> masks(grid.threadCount());
  for (const unsigned first : grid.warps()) {
    const unsigned groupCount = random.between(1, 6);
    const double silent = random.pick({0.0, 0.2, 0.9});
    const bool inRuns = random.chance(0.3);
    std::array<unsigned, 6> groups{};
    std::array<unsigned, 32> groupOf{};
    for (unsigned i = first; i < grid.endOf(first); ++i) {
      const unsigned lane = i - first;
      groupOf[lane] = random.chance(silent) ? groupCount : inRuns ? lane * groupCount / 32 : random.below(groupCount);
      if (groupOf[lane] < groupCount) groups[groupOf[lane]] |= 1u << lane;
    }
    for (unsigned i = first; i < grid.endOf(first); ++i) {
      masks[i] = groupOf[i - first] < groupCount ? groups[groupOf[i - first]] : 0;
    }
  }
  return masks;
}

std::vector<unsigned> randomKeys(Random& random, unsigned count, unsigned range) {
  const unsigned kind = random.below(4), offset = random.below(range), run = random.between(2, 20);
  std::vector<unsigned> keys(count);
  for (unsigned i = 0; i < count; ++i) {
    const unsigned step = kind == 0 ? 0 : kind == 1 ? i : kind == 2 ? i / run : random.below(range);
    keys[i] = (offset + step) % range;
  }
  return keys;
}

std::vector<std::vector<unsigned>> groupsOf(const TestGrid& grid, const std::vector<unsigned>& masks) {
  std::vector<std::vector<unsigned>> groups;
  for (unsigned i = 0; i < masks.size(); ++i) {
    const unsigned mask = masks[i], lane = grid.laneOf(i);
    if (mask == 0 || (mask & ((1u << lane) - 1)) != 0) continue;
    groups.emplace_back();
    for (unsigned other = lane; other < 32; ++other) {
      if ((mask >> other & 1) != 0) groups.back().push_back(grid.warpOf(i) + other);
    }
  }
  return groups;
}

testing::AssertionResult fillWithoutGaps(std::vector<Range> ranges) {
  std::ranges::sort(ranges, {}, [](const Range& range) { return std::pair(range.first, range.length); });
  unsigned long long end = 0;
  for (const Range& range : ranges) {
    if (range.first != end) {
      return testing::AssertionFailure() << "a range begins at " << range.first << " instead of " << end << ", "
                                         << describeSeed();
    }
    end += range.length;
  }
  return testing::AssertionSuccess();
}

}  // namespace slu::test
