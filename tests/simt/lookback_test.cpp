// The look-back of stable order, with groups small enough that a test passes many of them.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "random.h"
#include "simt/cuda_on_cpu.h"
//
#include "cuda/kernels/lookback.cuh"

namespace slu::cuda {
namespace {

constexpr uint kGroup = 64;
using SmallTile = Tile<32, 4, 1>;

__global__ void findPrefixes(const Arguments arguments, uint epoch, const uint* counts, uint* prefixes) {
  SLU_SHARED_ARRAY(uint, sums, SmallTile::kWarps);
  const uint tile = blockIdx.x;
  const LookBack<SmallTile, kGroup> lookBack{arguments, epoch};
  lookBack.publishCount(tile, counts[tile]);
  const uint prefix = lookBack.prefixOf(tile, counts[tile], sums);
  if (threadIdx.x == 0) prefixes[tile] = prefix;
}

TEST(LookBack, AddsUpAllEarlierTilesInEveryFrame) {
  test::Random random;
  for (const uint tileCount : {1u, kGroup - 1, kGroup, kGroup + 1, 5 * kGroup, 5 * kGroup + 17}) {
    std::vector<u64> status(tileCount + tileCount / kGroup + 1);  // words of earlier frames stay
    Arguments arguments{};
    arguments.frame.chunks = reinterpret_cast<std::uintptr_t>(status.data());
    arguments.plan.maxTiles = tileCount;
    arguments.plan.statusWords = static_cast<uint>(status.size());
    for (const uint epoch : {1u, 2u, 0xffffffffu}) {
      std::vector<uint> counts(tileCount), prefixes(tileCount, 0xcdcdcdcdu), expected(tileCount);
      for (uint& count : counts) count = random.below(4097);
      std::exclusive_scan(counts.begin(), counts.end(), expected.begin(), 0u);
      ASSERT_TRUE(simt::launch({.grid = tileCount, .block = SmallTile::kThreads, .workers = 3}, findPrefixes, arguments,
                               epoch, counts.data(), prefixes.data()));
      ASSERT_EQ(prefixes, expected) << tileCount << " tiles, " << test::describeSeed();
    }
  }
}

}  // namespace
}  // namespace slu::cuda
