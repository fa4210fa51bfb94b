// Increments: unique consecutive values, in lane order within a call, from any part of a warp.
#include <array>
#include <map>

#include "grids.h"
#include "kernels.h"

namespace slu::test {
namespace {

class DeviceCounters : public DeviceTest {};

TEST_F(DeviceCounters, EveryBranchAndLoopGetsItsOwnPlaces) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const TestGrid grid(random);
    const unsigned actionCount = 3 + 2 * kMaxCalls;
    Array<unsigned> actions(grid.threadCount()), places(grid.threadCount() * kMaxCalls), counters(kCounters);
    for (unsigned i = 0; i < actions.size(); ++i) actions[i] = random.below(actionCount);
    std::array<unsigned, kCounters> initial;
    for (unsigned i = 0; i < kCounters; ++i) counters[i] = initial[i] = random.word();
    ASSERT_TRUE(launch(grid.blocks, grid.block, counterKernels.incrementBranches, actions.data(), counters.data(),
                       places.data()));
    std::array<std::vector<Range>, kCounters> taken;
    for (unsigned i = 0; i < actions.size(); ++i) {
      const unsigned action = actions[i];
      const bool loops = action >= 3;
      const unsigned calls = loops ? (action - 3) % kMaxCalls + 1 : action == 0 ? 0 : 1;
      const unsigned counter = loops ? 2 + (action - 3) / kMaxCalls : action - 1;
      for (unsigned k = 0; k < kMaxCalls; ++k) {
        if (k < calls) {
          taken[counter].push_back({places[i * kMaxCalls + k] - initial[counter], 1});
        } else {
          ASSERT_TRUE(places.isPoison(i * kMaxCalls + k)) << describeSeed();
        }
      }
    }
    for (unsigned i = 0; i < kCounters; ++i) {
      ASSERT_TRUE(fillWithoutGaps(taken[i])) << "counter " << i;
      ASSERT_EQ(counters[i], initial[i] + static_cast<unsigned>(taken[i].size())) << describeSeed();
    }
  }
}

// Checks what the threads of the groups got from one counter each.
template <typename T>
void expectConsecutive(const std::vector<std::vector<unsigned>>& groups, const Array<T>& places, T initial, T final) {
  std::vector<Range> taken;
  std::size_t callers = 0;
  for (const std::vector<unsigned>& group : groups) {
    callers += group.size();
    const T first = places[group.front()];
    taken.push_back({static_cast<unsigned long long>(first - initial), group.size()});
    for (std::size_t rank = 0; rank < group.size(); ++rank) {
      ASSERT_EQ(places[group[rank]], first + static_cast<T>(rank))
          << "thread " << group[rank] << ", " << describeSeed();
    }
  }
  ASSERT_TRUE(fillWithoutGaps(taken));
  ASSERT_EQ(final, initial + static_cast<T>(callers)) << describeSeed();
}

template <typename T>
void incrementMasked(void (*kernel)(const unsigned*, T*, T*), T initial) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const TestGrid grid(random);
    const std::vector<unsigned> lanes = randomMasks(random, grid);
    const Array<unsigned> masks(lanes);
    const Array<T> counter(1, initial), places(grid.threadCount());
    ASSERT_TRUE(launch(grid.blocks, grid.block, kernel, masks.data(), counter.data(), places.data()));
    for (unsigned i = 0; i < lanes.size(); ++i) {
      ASSERT_TRUE(lanes[i] != 0 || places.isPoison(i)) << describeSeed();
    }
    ASSERT_NO_FATAL_FAILURE(expectConsecutive(groupsOf(grid, lanes), places, initial, counter[0]));
  }
}

TEST_F(DeviceCounters, LanesOfOneCallAreConsecutive) {
  incrementMasked(counterKernels.incrementMasked, Random().word());
  incrementMasked(counterKernels.incrementSigned, -1000);
}

TEST_F(DeviceCounters, TilesOfLanesAreConsecutive) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const unsigned blocks = random.between(1, 5), threads = 8 * random.between(1, 128);
    const unsigned long long initial = random.next();
    const Array<unsigned long long> counter(1, initial), places(blocks * threads);
    ASSERT_TRUE(launch(blocks, {threads}, counterKernels.incrementTilesOf8, counter.data(), places.data()));
    std::vector<std::vector<unsigned>> groups(blocks * threads / 8);
    for (unsigned i = 0; i < places.size(); ++i) groups[i / 8].push_back(i);
    ASSERT_NO_FATAL_FAILURE(expectConsecutive(groups, places, initial, counter[0]));
  }
}

TEST_F(DeviceCounters, KeysHaveCountersOfTheirOwn) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const TestGrid grid(random);
    const std::vector<unsigned> lanes = randomMasks(random, grid);
    const unsigned range = random.between(1, 100);
    const std::vector<unsigned> keyOf = randomKeys(random, grid.threadCount(), range);
    const Array<unsigned> masks(lanes);
    const Array<int> keys(std::vector<int>(keyOf.begin(), keyOf.end()));
    Array<unsigned long long> counters(range), places(grid.threadCount());
    std::vector<unsigned long long> initial(range);
    for (unsigned key = 0; key < range; ++key) counters[key] = initial[key] = random.next();
    ASSERT_TRUE(launch(grid.blocks, grid.block, counterKernels.incrementByKey, masks.data(), keys.data(),
                       counters.data(), places.data()));
    std::vector<std::vector<std::vector<unsigned>>> groups(range);
    for (const std::vector<unsigned>& group : groupsOf(grid, lanes)) {
      std::map<unsigned, std::vector<unsigned>> byKey;
      for (const unsigned i : group) byKey[keyOf[i]].push_back(i);
      for (const auto& [key, threads] : byKey) groups[key].push_back(threads);
    }
    for (unsigned key = 0; key < range; ++key) {
      ASSERT_NO_FATAL_FAILURE(expectConsecutive(groups[key], places, initial[key], counters[key])) << "key " << key;
    }
    for (unsigned i = 0; i < lanes.size(); ++i) {
      ASSERT_TRUE(lanes[i] != 0 || places.isPoison(i)) << describeSeed();
    }
  }
}

TEST_F(DeviceCounters, SharedMemoryHoldsCountersToo) {
  Random random;
  for (unsigned trial = 0; trial < trialCount(); ++trial) {
    const TestGrid grid(random);
    const Array<unsigned> keys(randomKeys(random, grid.threadCount(), random.between(1, 2 * kSharedBins)));
    Array<unsigned> bins(grid.blocks * kSharedBins), places(keys.size());
    ASSERT_TRUE(
        launch(grid.blocks, grid.block, counterKernels.incrementSharedByKey, keys.data(), bins.data(), places.data()));
    std::vector<std::vector<Range>> taken(bins.size());
    for (unsigned i = 0; i < keys.size(); ++i) {
      if (keys[i] < kSharedBins) {
        taken[i / grid.block.count() * kSharedBins + keys[i]].push_back({places[i], 1});
      } else {
        ASSERT_TRUE(places.isPoison(i)) << describeSeed();
      }
    }
    for (unsigned bin = 0; bin < bins.size(); ++bin) {
      ASSERT_TRUE(fillWithoutGaps(taken[bin])) << "bin " << bin;
      ASSERT_EQ(bins[bin], taken[bin].size()) << describeSeed();
    }
  }
}

}  // namespace
}  // namespace slu::test
