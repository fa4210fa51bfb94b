// How tiles of stable order learn what the tiles before them keep.
#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

#include "inputs.h"
#include "plans.h"
#include "random.h"
#include "scene_builder.h"
#include "simt_machine.h"
#include "trial.h"
//
#include "simt/cuda_on_cpu.h"
//
#include "kernels/device/entries/sorted_stable.cuh"
#include "kernels/device/steps/lookback.cuh"

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
      arguments.frame.tileStatus = reinterpret_cast<std::uintptr_t>(status.data());
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

TEST(LookBack, AddsUpAllEarlierTilesInEveryFrame) {
  constexpr uint kTilesAtOnce = SmallTile::kThreads;  // for the block that scans
  test::Random random;
  for (const uint tileCount :
       {1u, 31u, 32u, 33u, kTilesAtOnce - 1, kTilesAtOnce, kTilesAtOnce + 1, 5 * kTilesAtOnce + 17}) {
    std::vector<u64> status(kTileStatusWords * tileCount);  // words of earlier frames stay
    Arguments arguments{};
    arguments.frame.tileStatus = reinterpret_cast<std::uintptr_t>(status.data());
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

// A block per tile and view, of which only each so many-th tells what all tiles up to it keep. Every other tile says
// nothing before the next one has.
constexpr uint kBucketThreads = 64;
__global__ void findSums(const Arguments arguments, uint epoch, uint interval, const uint* counts, uint* sums) {
  constexpr uint kShare = 2;
  using Of = BucketLookBack::Of;
  const uint tile = blockIdx.x;
  const uint bucketCount = arguments.frame.bucketCount;
  const uint row = (blockIdx.y * gridDim.x + tile) * bucketCount;
  const BucketLookBack lookBack{arguments, epoch};
  if (tile % 2 == 0 && tile + 1 < gridDim.x) {
    while (!lookBack.isOfThisFrame(loadRelaxed(lookBack.wordOf(tile + 1, 0)))) __nanosleep(100);
  }
  for (uint bucket = threadIdx.x; bucket < bucketCount; bucket += kBucketThreads) {
    lookBack.publish(tile, bucket, tile == 0 ? Of::allSoFar : Of::tile, counts[row + bucket]);
  }
  const uint lanes = lanesPerBucket<kBucketThreads>(bucketCount);
  const uint step = kBucketThreads / lanes;
  for (uint first = 0; first < bucketCount; first += kShare * step) {
    uint own[kShare];
    uint found[kShare];
    for (uint i = 0; i < kShare; ++i) {
      const uint bucket = first + i * step + threadIdx.x / lanes;
      own[i] = bucket < bucketCount ? bucket : SLU_DROPPED;
    }
    sumEarlierTiles(lookBack, tile, lanes, own, found);
    for (uint i = 0; i < kShare; ++i) {
      if (own[i] == SLU_DROPPED || threadIdx.x % lanes != 0) continue;
      sums[row + own[i]] = found[i];
      if (tile % interval == 0) lookBack.publish(tile, own[i], Of::allSoFar, found[i] + counts[row + own[i]]);
    }
  }
}

// Of one bucket to more than the threads take at once; tiles around those that its lanes look at together.
TEST(LookBack, AddsUpAllEarlierTilesOfEachBucket) {
  constexpr uint kNever = 0xffffffffu, kViews = 2;
  test::Random random;
  for (const uint bucketCount : {1u, 2u, 8u, 9u, 33u, 64u, 65u, 130u}) {
    for (const uint tileCount : {1u, 2u, 6u, 7u, 8u, 13u, 48u, 49u, 50u, 100u}) {
      const std::size_t wordsOfView = std::size_t{tileCount} * bucketCount;
      std::vector<u64> status(kViews * wordsOfView);  // words of earlier frames stay
      Arguments arguments{};
      arguments.frame.tileStatus = reinterpret_cast<std::uintptr_t>(status.data());
      arguments.frame.bucketCount = bucketCount;
      arguments.plan.maxTiles = tileCount;
      for (const auto& [epoch, interval] : {std::pair(1u, kNever), {2u, 1u}, {BucketLookBack::kLastEpoch, 5u}}) {
        std::vector<uint> counts(status.size()), sums(status.size(), 0xcdcdcdcdu), expected(status.size());
        for (uint& count : counts) count = random.below(4097);
        for (std::size_t i = 0; i < counts.size(); ++i) {
          if (i % wordsOfView >= bucketCount) expected[i] = expected[i - bucketCount] + counts[i - bucketCount];
        }
        ASSERT_TRUE(simt::launch({.grid = {tileCount, kViews}, .block = kBucketThreads, .workers = 3}, findSums,
                                 arguments, epoch, interval, counts.data(), sums.data()));
        ASSERT_EQ(sums, expected) << bucketCount << " buckets, " << tileCount << " tiles, " << test::describeSeed();
        const BucketLookBack lookBack{arguments, epoch};
        for (const u64 word : status) ASSERT_TRUE(lookBack.isOfThisFrame(word)) << "words that no tile has";
      }
    }
  }
}

}  // namespace
}  // namespace slu::cuda

namespace slu::test {
namespace {

// Frames of few tiles in the middle of the epochs, and at their end, follow others of many.
TEST(SimtLookBack, WordsOfEarlierFramesAreClearedTwiceInAllEpochs) {
  struct Kind {
    std::uint32_t bucketCount, residentBlocks, lastEpoch;
    std::uint32_t stride = 64;
  };
  constexpr std::uint32_t kSorted = cuda::BucketLookBack::kLastEpoch, kFew = 3, kMany = 6;
  // Long records are read whole in frames of many tiles, and in two steps in the frames that clear.
  for (const Kind& kind : {Kind{1, 2, cuda::kLastEpoch}, Kind{1, kFew + 1, cuda::kLastEpoch}, Kind{20, 2, kSorted},
                           Kind{1, 2, cuda::kLastEpoch, 128}, Kind{1, kFew + 1, cuda::kLastEpoch, 96}}) {
    SCOPED_TRACE(describeSeed());
    const std::uint32_t epochs[] = {5, kind.lastEpoch / 2, 7, kind.lastEpoch};
    std::uint32_t frameCount = 0;
    const auto launch = [&](const CudaLaunch& launched, const cuda::Arguments& arguments) {
      const std::uint32_t epoch = epochs[frameCount++];
      auto* view = reinterpret_cast<cuda::ViewProgress*>(static_cast<std::uintptr_t>(arguments.frame.progress));
      view->word = static_cast<cuda::u64>(epoch - 1) << 32;
      view->keptMany[0] = view->keptMany[1] = frameCount % 2;
      launchOnCpu(launched, arguments);
      EXPECT_EQ(view->word, static_cast<cuda::u64>(epoch == kind.lastEpoch ? 0 : epoch) << 32);
      if (frameCount % 2 != 0) return;
      const auto* words = reinterpret_cast<const cuda::u64*>(static_cast<std::uintptr_t>(arguments.frame.tileStatus));
      const std::uint32_t wordsOfTile = kind.bucketCount == 1 ? cuda::kTileStatusWords : kind.bucketCount;
      std::uint32_t written = 0;
      for (std::uint32_t i = 0; i < arguments.plan.maxTiles * wordsOfTile; ++i) {
        if (words[i] == 0) continue;
        ++written;
        ASSERT_EQ(words[i] >> (kind.bucketCount == 1 ? 32 : 33), epoch) << "word " << i;
      }
      EXPECT_GE(written, kFew);
    };
    const auto machine = makeSimtMachine({.residentBlocks = kind.residentBlocks, .launch = launch});
    Random random;
    PlanSpec plan = simplePlan(SLU_ORDER_STABLE, kind.stride, 300'000);
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    addBuckets(plan, kind.bucketCount, 1, 5000, kind.bucketCount > 1 ? 8 : 0);
    const auto tile = kind.stride > 64 ? cuda::kTileRecords : static_cast<std::uint32_t>(machine->tileRecords(plan));
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t tiles : {kMany, kFew, kMany, kFew}) {
      builder.addFrame(builder.makeFrame(index, makeInput(plan, tiles * tile, Pattern::half, random)));
    }
    ASSERT_TRUE(agrees(*machine, builder.finish()));
    EXPECT_EQ(frameCount, 4u);
  }
}

}  // namespace
}  // namespace slu::test
