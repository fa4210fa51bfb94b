// The kernels of reduction/ on the CPU's stand-in for a GPU, and the particles that they add up.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "random.h"
#include "reduction/particles.h"
#include "simt/cuda_on_cpu.h"
//
#include "reduction/add_to_cells.cuh"

namespace bench {
namespace {

using slu::test::describeSeed;
using slu::test::Random;

constexpr uint32_t kEdge = 6;

TEST(Particles, AreInTheOrderThatIsAskedFor) {
  Random random;
  const uint32_t seed = random.word();
  const auto neighborsShareCells = [&](KeyOrder order) {
    const Particles particles = makeParticles(order, kEdge, 4000, seed);
    uint32_t shared = 0;
    for (size_t i = 1; i < particles.keys.size(); ++i) shared += particles.keys[i] == particles.keys[i - 1] ? 1 : 0;
    return shared;
  };
  const Particles ordered = makeParticles(KeyOrder::Ordered, kEdge, 4000, seed);
  EXPECT_TRUE(std::is_sorted(ordered.keys.begin(), ordered.keys.end())) << describeSeed();
  EXPECT_LT(neighborsShareCells(KeyOrder::Random), 100u) << describeSeed();
  EXPECT_GT(neighborsShareCells(KeyOrder::Ordered), 3500u) << describeSeed();
  // A shift by half a cell along each axis parts most of them. An eighth still share a cell, about 460.
  const uint32_t shifted = neighborsShareCells(KeyOrder::Shifted);
  EXPECT_GT(shifted, 250u) << describeSeed();
  EXPECT_LT(shifted, neighborsShareCells(KeyOrder::Ordered)) << describeSeed();
}

TEST(Particles, AddUpToTheSumsOfTheirCells) {
  Random random;
  for (const KeyOrder order : kKeyOrders) {
    const Particles particles = makeParticles(order, kEdge, 3000, random.word());
    ASSERT_EQ(particles.cellCount, kEdge * kEdge * kEdge);
    std::vector<int32_t> sums(particles.cellCount);
    for (size_t i = 0; i < particles.keys.size(); ++i) sums.at(particles.keys[i]) += particles.values[i];
    EXPECT_EQ(sums, particles.sumOfCells) << name(order) << ", " << describeSeed();
    EXPECT_GT(std::set<int8_t>(particles.values.begin(), particles.values.end()).size(), 10u);
  }
}

// Each kernel over particles in each order, with counts around warps, blocks and tiles.
template <typename Value>
void expectSums() {
  Random random;
  for (const KeyOrder order : kKeyOrders) {
    for (const uint32_t count : {1u, 31u, 32u, 33u, kAddThreads + 1, kAddTile - 1, kAddTile, 2 * kAddTile + 77}) {
      const Particles particles = makeParticles(order, kEdge, count, random.word());
      const std::vector<Value> values(particles.values.begin(), particles.values.end());
      const std::vector<Value> expected(particles.sumOfCells.begin(), particles.sumOfCells.end());
      const simt::Launch launch = {.grid = (count + kAddTile - 1) / kAddTile, .block = kAddThreads, .workers = 3};
      const uint32_t* keys = particles.keys.data();
      const auto trace = [&] { return testing::Message() << name(order) << ", " << count << ", " << describeSeed(); };

      std::vector<Value> cells(particles.cellCount);
      ASSERT_TRUE(simt::launch(launch, [&] { addPlain(keys, values.data(), count, cells.data()); }));
      EXPECT_EQ(cells, expected) << trace();
      std::fill(cells.begin(), cells.end(), Value{});
      ASSERT_TRUE(
          simt::launch(launch, [&] { addShared(keys, values.data(), count, particles.cellCount, cells.data()); }));
      EXPECT_EQ(cells, expected) << trace();
      std::fill(cells.begin(), cells.end(), Value{});
      ASSERT_TRUE(simt::launch(launch, [&] { addByVoting(keys, values.data(), count, cells.data()); }));
      EXPECT_EQ(cells, expected) << trace();
    }
  }
}

TEST(AddToCells, Floats) { expectSums<float>(); }
TEST(AddToCells, Doubles) { expectSums<double>(); }

// One atomic per warp where its lanes share a cell, which is what voting is for.
TEST(AddToCells, VotingSavesAtomics) {
  const std::vector<uint32_t> keys(kAddTile, 3);
  const std::vector<float> values(kAddTile, 1.0f);
  float cells[8] = {};
  std::atomic<std::uint64_t> atomics = 0;
  simt::Launch launch = {.grid = 1, .block = kAddThreads};
  launch.atomicCount = &atomics;
  ASSERT_TRUE(simt::launch(launch, [&] { addByVoting(keys.data(), values.data(), kAddTile, cells); }));
  EXPECT_EQ(cells[3], static_cast<float>(kAddTile));
  EXPECT_EQ(atomics, kAddTile / 32);
}

}  // namespace
}  // namespace bench
