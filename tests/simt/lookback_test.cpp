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
// The block that scans begins once the awaited tile has told its count, and finds what the others have by then.
__global__ void scanLate(const Arguments arguments, uint epoch, uint awaited, const uint* counts) {
  SLU_SHARED_ARRAY(uint, sums, 2 * SmallTile::kWarps);
  const LookBack<SmallTile> lookBack{arguments, epoch};
  if (blockIdx.x != 0) return lookBack.publishCount(blockIdx.x - 1, counts[blockIdx.x - 1]);
  if (threadIdx.x == 0) lookBack.await(lookBack.countWord(awaited));
  __syncthreads();
  lookBack.scanCounts(arguments.plan.maxTiles, sums);
}

TEST(LookBack, ScansCountsThatAreThereOrCome) {
  constexpr uint kTilesAtOnce = SmallTile::kThreads;
  constexpr u64 kEpoch = 7;
  test::Random random;
  for (const uint tileCount : {1u, 33u, kTilesAtOnce, kTilesAtOnce + 1, 5 * kTilesAtOnce + 17}) {
    for (const uint awaited : {tileCount - 1, 0u, random.below(tileCount), random.below(tileCount)}) {
      std::vector<u64> status(kTileStatusWords * tileCount);
      Arguments arguments{};
      arguments.frame.chunks = reinterpret_cast<std::uintptr_t>(status.data());
      arguments.plan.maxTiles = tileCount;
      std::vector<uint> counts(tileCount);
      for (uint& count : counts) count = random.below(SmallTile::kRecords + 1);
      std::vector<u64> expected(tileCount);
      std::exclusive_scan(counts.begin(), counts.end(), expected.begin(), kEpoch << 32);
      ASSERT_TRUE(simt::launch({.grid = tileCount + 1, .block = SmallTile::kThreads, .workers = 3}, scanLate, arguments,
                               static_cast<uint>(kEpoch), awaited, counts.data()));
      ASSERT_EQ(std::vector<u64>(status.begin() + tileCount, status.end()), expected)
          << tileCount << " tiles, from " << awaited << " on, " << test::describeSeed();
    }
  }
}

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
