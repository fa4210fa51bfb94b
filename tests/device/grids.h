// Random grids, and the lanes of their warps that call together.
#pragma once

#include <vector>

#include "executor.h"

namespace slu::test {

struct TestGrid {
  explicit TestGrid(Random& random);

  unsigned threadCount() const { return blocks * block.count(); }
  // The first thread of the warp of thread i, and i's lane there.
  unsigned warpOf(unsigned i) const { return i - laneOf(i); }
  unsigned laneOf(unsigned i) const { return i % block.count() % 32; }
  // The first threads of the warps.
  std::vector<unsigned> warps() const;
  // One beyond the last thread of the warp that begins with thread `first`.
  unsigned endOf(unsigned first) const;

  unsigned blocks;
  Shape block;
};

// Splits each warp into up to 6 groups, and some threads that do not call. By thread: its group's lanes, or 0.
std::vector<unsigned> randomMasks(Random& random, const TestGrid& grid);

// Keys below `range`: all equal, all different, in runs, or random.
std::vector<unsigned> randomKeys(Random& random, unsigned count, unsigned range);

// The groups that masks describe, each as its threads in ascending order.
std::vector<std::vector<unsigned>> groupsOf(const TestGrid& grid, const std::vector<unsigned>& masks);

struct Range {
  unsigned long long first, length;
};
// Whether the ranges lie one behind the other from 0 to the end of the last, in any order.
testing::AssertionResult fillWithoutGaps(std::vector<Range> ranges);

// Neighbors in pairs, then pairs of pairs.
template <typename T, typename Operation>
T pairwise(std::vector<T> values, Operation operation) {
  while (values.size() > 1) {
    std::vector<T> halved;
    for (std::size_t i = 0; i < values.size(); i += 2) {
      halved.push_back(i + 1 < values.size() ? operation(values[i], values[i + 1]) : values[i]);
    }
    values = halved;
  }
  return values.front();
}

}  // namespace slu::test
