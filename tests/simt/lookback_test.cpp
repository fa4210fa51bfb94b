// How tiles of stable order learn what the tiles before them keep.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "random.h"
#include "simt/cuda_on_cpu.h"
//
#include "cuda/kernels/lookback.cuh"

namespace slu::cuda {
namespace {

using SmallTile = Tile<64, 4, 1>;

// A block per tile, and for prefixes that are scanned one more, the first.
__global__ void findPrefixes(const Arguments arguments, uint epoch, bool isScanned, const uint* counts,
                             uint* prefixes) {
  SLU_SHARED_ARRAY(uint, sums, 2 * SmallTile::kWarps);
  const uint tileCount = arguments.plan.maxTiles;
  const LookBack<SmallTile> lookBack{arguments, epoch};
  if (isScanned && blockIdx.x == 0) return lookBack.scanCounts(tileCount, sums);
  const uint tile = blockIdx.x - (isScanned ? 1 : 0);
  lookBack.publishCount(tile, counts[tile]);
  const uint prefix = isScanned ? lookBack.prefix(tile, &sums[0]) : lookBack.sumOfCounts(tile, &sums[0]);
  if (threadIdx.x == 0) prefixes[tile] = prefix;
}

TEST(LookBack, AddsUpAllEarlierTilesInEveryFrame) {
  constexpr uint kTilesAtOnce = SmallTile::kThreads;  // for the block that scans
  test::Random random;
  for (const uint tileCount :
       {1u, 31u, 32u, 33u, kTilesAtOnce - 1, kTilesAtOnce, kTilesAtOnce + 1, 5 * kTilesAtOnce + 17}) {
    std::vector<u64> status(kTileStatusWords * tileCount);  // words of earlier frames stay
    Arguments arguments{};
    arguments.frame.chunks = reinterpret_cast<std::uintptr_t>(status.data());
    arguments.plan.maxTiles = tileCount;
    for (const uint epoch : {1u, 2u, 3u, 0xffffffffu}) {
      const bool isScanned = epoch != 2;
      std::vector<uint> counts(tileCount), prefixes(tileCount, 0xcdcdcdcdu), expected(tileCount);
      for (uint& count : counts) count = random.below(SmallTile::kRecords + 1);
      std::exclusive_scan(counts.begin(), counts.end(), expected.begin(), 0u);
      ASSERT_TRUE(simt::launch({.grid = tileCount + (isScanned ? 1 : 0), .block = SmallTile::kThreads, .workers = 3},
                               findPrefixes, arguments, epoch, isScanned, counts.data(), prefixes.data()));
      ASSERT_EQ(prefixes, expected) << tileCount << " tiles, " << test::describeSeed();
    }
  }
}

}  // namespace
}  // namespace slu::cuda
