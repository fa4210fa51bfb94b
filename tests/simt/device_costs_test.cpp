// How many atomics the functions of device.cuh execute, which is what they are for.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "simt/cuda_on_cpu.h"
#include "sluice/device.cuh"

namespace {

namespace device = slu::device;

template <typename Kernel>
std::uint64_t atomicsOf(simt::Launch launch, Kernel kernel) {
  std::atomic<std::uint64_t> count = 0;
  launch.atomicCount = &count;
  EXPECT_TRUE(simt::launch(launch, kernel));
  return count;
}

TEST(DeviceCosts, TheExecutorCountsAtomics) {
  unsigned word = 0;
  EXPECT_EQ(atomicsOf({.grid = 3, .block = 40}, [&] { atomicAdd(&word, 1u); }), 120u);
  EXPECT_EQ(atomicsOf({.grid = 3, .block = 40}, [&] { word = __ldcg(&word); }), 0u);
}

TEST(DeviceCosts, OneAtomicPerWarp) {
  const simt::Launch launch = {.grid = 2, .block = 80};  // 2 times 3 warps, of which the last is half full
  const auto lanes = [] { return threadIdx.x < 64 ? device::kFullWarp : 0xffffu; };
  unsigned counter = 0;
  double sum = 0;
  EXPECT_EQ(atomicsOf(launch, [&] { device::increment(&counter, lanes()); }), 6u);
  EXPECT_EQ(atomicsOf(launch, [&] { device::add(&counter, threadIdx.x, lanes()); }), 6u);
  EXPECT_EQ(atomicsOf(launch, [&] { device::accumulate(&counter, threadIdx.x, lanes()); }), 6u);
  EXPECT_EQ(atomicsOf(launch, [&] { device::accumulate(&sum, 1.0, lanes()); }), 6u);
  EXPECT_EQ(atomicsOf(launch,
                      [&] {
                        namespace cg = cooperative_groups;
                        device::incrementInGroup(cg::tiled_partition<16>(cg::this_thread_block()), &counter);
                      }),
            10u);
}

TEST(DeviceCosts, OneAtomicPerKeyOfAWarp) {
  slu::test::Random random;
  std::vector<unsigned> keys(96), counters(8);
  std::set<unsigned> distinct[3];
  for (unsigned i = 0; i < keys.size(); ++i) distinct[i / 32].insert(keys[i] = random.below(8));
  const std::uint64_t expected = distinct[0].size() + distinct[1].size() + distinct[2].size();
  const auto count = [&] { device::incrementByKey(counters.data(), keys[threadIdx.x], device::kFullWarp); };
  const auto add = [&] { device::addByKey(counters.data(), keys[threadIdx.x], 5, device::kFullWarp); };
  EXPECT_EQ(atomicsOf({.block = 96}, count), expected) << slu::test::describeSeed();
  EXPECT_EQ(atomicsOf({.block = 96}, add), expected) << slu::test::describeSeed();
}

TEST(DeviceCosts, OneAtomicPerTileUnlessItIsEmpty) {
  unsigned counter = 0;
  const auto tile = [&](unsigned flags) {
    using Tile = device::Tile<96, 4, 2>;
    SLU_SHARED_ARRAY(unsigned, counts, Tile::kCounts);
    SLU_SHARED(unsigned, slot);
    device::reserve(&counter, device::rankTile<Tile>(flags, counts).total, &slot);
  };
  EXPECT_EQ(atomicsOf({.grid = 7, .block = 96}, [&] { tile(0x81); }), 7u);
  EXPECT_EQ(atomicsOf({.grid = 7, .block = 96}, [&] { tile(0); }), 0u);
}

}  // namespace
