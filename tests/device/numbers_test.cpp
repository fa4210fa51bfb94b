// Sums and reductions, over the lanes of a call and over those with the same key, against plain loops.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "compose.h"
#include "grids.h"
#include "kernels.h"

namespace slu::test {
namespace {

// Small integers, whose sums every type represents exactly.
template <typename T>
T exactValue(Random& random) {
  return static_cast<T>(random.below(2000)) - (std::is_unsigned_v<T> ? T{0} : T{1000});
}

template <typename T>
T anyValue(Random& random) {
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<T>(random.uniform(-1, 1)) * static_cast<T>(random.pick({1e-3, 1.0, 1e6}));
  } else if constexpr (std::is_signed_v<T>) {
    return exactValue<T>(random);
  } else {
    return static_cast<T>(random.next());
  }
}

template <typename T, typename Draw>
std::vector<T> randomValues(Random& random, unsigned count, Draw draw) {
  std::vector<T> values(count);
  for (T& value : values) value = draw(random);
  return values;
}

template <typename T>
class DeviceNumbers : public DeviceTest {};
using Numbers = testing::Types<int, unsigned, unsigned long long, float, double>;
TYPED_TEST_SUITE(DeviceNumbers, Numbers);

template <typename T>
class DeviceIntegers : public DeviceTest {};
using Integers = testing::Types<int, unsigned, unsigned long long>;
TYPED_TEST_SUITE(DeviceIntegers, Integers);

// Values small enough for the ranges of all threads to lie side by side; the counter may pass its type's end.
TYPED_TEST(DeviceIntegers, EveryLaneGetsARangeOfItsOwn) {
  using T = TypeParam;
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const TestGrid grid(random);
    const std::vector<unsigned> lanes = randomMasks(random, grid);
    const unsigned bound = random.pick({1u, 2u, 100u, 100000u});
    const Array<unsigned> masks(lanes);
    const Array<T> values(randomValues<T>(random, grid.threadCount(),
                                          [&](Random& source) { return static_cast<T>(source.below(bound)); }));
    for (const bool masked : {true, false}) {
      const T initial = std::is_signed_v<T> ? static_cast<T>(-5) : static_cast<T>(random.next());
      const Array<T> counter(1, initial), places(grid.threadCount());
      ASSERT_TRUE(launch(grid.blocks, grid.block,
                         masked ? numberKernels<T>().addMasked : numberKernels<T>().addBranches, masks.data(),
                         values.data(), counter.data(), places.data()));
      std::vector<Range> taken;
      T sum = initial;
      for (unsigned i = 0; i < lanes.size(); ++i) {
        if (lanes[i] == 0) {
          ASSERT_TRUE(places.isPoison(i)) << describeSeed();
          continue;
        }
        taken.push_back({static_cast<unsigned long long>(static_cast<T>(places[i] - initial)),
                         static_cast<unsigned long long>(values[i])});
        sum += values[i];
      }
      ASSERT_TRUE(fillWithoutGaps(taken));
      ASSERT_EQ(counter[0], sum) << describeSeed();
      if (!masked) continue;
      for (const std::vector<unsigned>& group : groupsOf(grid, lanes)) {
        T expected = places[group.front()];
        for (const unsigned i : group) {
          ASSERT_EQ(places[i], expected) << "thread " << i << ", " << describeSeed();
          expected += values[i];
        }
      }
    }
  }
}

TYPED_TEST(DeviceNumbers, AccumulateAddsAll) {
  using T = TypeParam;
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const TestGrid grid(random);
    const Array<unsigned> masks(randomMasks(random, grid));
    const Array<T> values(randomValues<T>(random, grid.threadCount(), exactValue<T>));
    T expected = exactValue<T>(random);
    const Array<T> counters(2, expected);
    for (unsigned i = 0; i < masks.size(); ++i) {
      if (masks[i] != 0) expected += values[i];
    }
    ASSERT_TRUE(launch(grid.blocks, grid.block, numberKernels<T>().accumulateMasked, masks.data(), values.data(),
                       counters.data()));
    ASSERT_TRUE(launch(grid.blocks, grid.block, numberKernels<T>().accumulateBranches, masks.data(), values.data(),
                       counters.data() + 1));
    ASSERT_EQ(counters[0], expected) << describeSeed();
    ASSERT_EQ(counters[1], expected) << describeSeed();
  }
}

TYPED_TEST(DeviceNumbers, AddByKeyAddsAll) {
  using T = TypeParam;
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const TestGrid grid(random);
    const unsigned range = random.between(1, 200);
    const Array<unsigned> masks(randomMasks(random, grid)), keys(randomKeys(random, grid.threadCount(), range));
    const Array<T> values(randomValues<T>(random, grid.threadCount(), exactValue<T>));
    std::vector<T> expected = randomValues<T>(random, range, exactValue<T>);
    const Array<T> masked(expected), branched(expected);
    for (unsigned i = 0; i < masks.size(); ++i) {
      if (masks[i] != 0) expected[keys[i]] += values[i];
    }
    ASSERT_TRUE(launch(grid.blocks, grid.block, numberKernels<T>().addByKey, masks.data(), keys.data(), values.data(),
                       masked.data()));
    ASSERT_TRUE(launch(grid.blocks, grid.block, numberKernels<T>().addByKeyBranches, masks.data(), keys.data(),
                       values.data(), branched.data()));
    for (unsigned key = 0; key < range; ++key) {
      ASSERT_EQ(masked[key], expected[key]) << "key " << key << ", " << describeSeed();
      ASSERT_EQ(branched[key], expected[key]) << "key " << key << ", " << describeSeed();
    }
  }
}

// A kernel's peers and results against the groups of equal keys, bit by bit.
template <typename T, typename Operation>
void checkReduction(typename NumberKernels<T>::Reduce kernel, Operation operation) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const TestGrid grid(random);
    const std::vector<unsigned> lanes = randomMasks(random, grid);
    const std::vector<unsigned> keyOf = randomKeys(random, grid.threadCount(), random.between(1, 40));
    const Array<unsigned> masks(lanes), peers(grid.threadCount());
    const Array<long long> keys(grid.threadCount());
    for (unsigned i = 0; i < keyOf.size(); ++i) keys[i] = (static_cast<long long>(keyOf[i]) << 31) - 7;
    const Array<T> values(randomValues<T>(random, grid.threadCount(), anyValue<T>)), results(grid.threadCount());
    ASSERT_TRUE(launch(grid.blocks, grid.block, kernel, masks.data(), keys.data(), values.data(), peers.data(),
                       results.data()));
    for (unsigned i = 0; i < lanes.size(); ++i) {
      if (lanes[i] == 0) {
        ASSERT_TRUE(peers.isPoison(i) && results.isPoison(i)) << describeSeed();
        continue;
      }
      unsigned same = 0;
      std::vector<T> terms;
      for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned other = grid.warpOf(i) + lane;
        if ((lanes[i] >> lane & 1) == 0 || keyOf[other] != keyOf[i]) continue;
        same |= 1u << lane;
        terms.push_back(values[other]);
      }
      ASSERT_EQ(peers[i], same) << "thread " << i << ", " << describeSeed();
      if ((same & ((1u << grid.laneOf(i)) - 1)) != 0) continue;
      const T expected = pairwise(terms, operation);
      ASSERT_EQ(std::memcmp(&results[i], &expected, sizeof(T)), 0)
          << results[i] << " instead of " << expected << ", thread " << i << ", " << describeSeed();
    }
  }
}

TYPED_TEST(DeviceNumbers, PeersAreReducedInOneOrder) {
  using T = TypeParam;
  const NumberKernels<T>& kernels = numberKernels<T>();
  ASSERT_NO_FATAL_FAILURE(checkReduction<T>(kernels.sum, [](T a, T b) { return static_cast<T>(a + b); }));
  ASSERT_NO_FATAL_FAILURE(checkReduction<T>(kernels.minimum, [](T a, T b) { return std::min(a, b); }));
  ASSERT_NO_FATAL_FAILURE(checkReduction<T>(kernels.maximum, [](T a, T b) { return std::max(a, b); }));
}

TEST_F(DeviceTest, EveryLaneGetsTheSumOfItsWarp) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const unsigned blocks = random.between(1, 3), threads = 32 * random.between(1, 8), count = blocks * threads;
    const Array<unsigned> values(randomValues<unsigned>(random, count, anyValue<unsigned>)), sums(count);
    ASSERT_TRUE(launch(blocks, Shape{threads}, sumWarpsKernel, values.data(), sums.data()));
    for (unsigned i = 0; i < count; ++i) {
      unsigned expected = 0;  // wraps
      for (unsigned lane = 0; lane < 32; ++lane) expected += values[i / 32 * 32 + lane];
      ASSERT_EQ(sums[i], expected) << "thread " << i << ", " << describeSeed();
    }
  }
}

TEST_F(DeviceTest, AnOperationNeedNotCommute) { checkReduction<unsigned long long>(composeKernel(), Compose()); }

// One warp, so that the target gets one addition.
template <typename T>
void checkSumOfFloats() {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const unsigned threads = random.between(1, 32);
    const std::vector<T> terms = randomValues<T>(random, threads, anyValue<T>);
    const T initial = anyValue<T>(random);
    const T expected = initial + pairwise(terms, [](T a, T b) { return a + b; });
    const Array<unsigned> masks(threads, 0xffffffffu >> (32 - threads)), keys(threads, 1);
    const Array<T> values(terms), target(2, initial), counter(1, initial);
    ASSERT_TRUE(
        launch(1, {threads}, numberKernels<T>().addByKey, masks.data(), keys.data(), values.data(), target.data()));
    ASSERT_TRUE(launch(1, {threads}, numberKernels<T>().accumulateMasked, masks.data(), values.data(), counter.data()));
    ASSERT_EQ(target[0], initial) << describeSeed();
    ASSERT_EQ(target[1], expected) << describeSeed();
    ASSERT_EQ(counter[0], expected) << describeSeed();
  }
}

TEST_F(DeviceTest, SumsOfFloatsHaveOneOrder) {
  ASSERT_NO_FATAL_FAILURE(checkSumOfFloats<float>());
  ASSERT_NO_FATAL_FAILURE(checkSumOfFloats<double>());
}

}  // namespace
}  // namespace slu::test
