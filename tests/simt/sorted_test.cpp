// Records that are sorted by bucket in shared memory before they leave: the bounds of its tiles, runs and counters.
#include <gtest/gtest.h>

#include <cstring>
#include <utility>
#include <vector>

#include "inputs.h"
#include "kernels/device/platform/tiles.h"
#include "kernels/schedule.h"
#include "plans.h"
#include "scene_builder.h"
#include "simt_machine.h"
#include "trial.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kStrides[] = {16, 32, 48, 64};
constexpr std::uint32_t kMost = 300'000;         // records of a plan: enough for it to sort
constexpr std::uint32_t kAmpleBytes = 1u << 20;  // of shared memory

class SimtSorted : public testing::TestWithParam<SluOrder> {
 protected:
  // Records alone, by a key that some of them have out of range.
  PlanSpec sorted(std::uint32_t stride, std::uint32_t bucketCount, std::uint32_t capacity) {
    PlanSpec plan = simplePlan(GetParam(), stride, kMost);
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.info.live = {SLU_LIVE_NON_EMPTY, 0, stride - 8};
    addBuckets(plan, bucketCount, 1, capacity, stride - 8);
    return plan;
  }
  // As many as are sorted in stable order.
  static std::uint32_t bucketsOf(std::uint32_t stride) {
    return cuda::sortedTileRecords(stride / 16, cuda::kSortedRows) / cuda::kSortedStableRecordsPerBucket;
  }
  std::uint32_t tileOf(const PlanSpec& plan) {
    const auto tile = static_cast<std::uint32_t>(machine->tileRecords(plan));
    EXPECT_EQ(tile, cuda::sortedTileRecords(plan.info.recordStride / 16, cuda::kSortedRows)) << "another kernel";
    return tile;
  }
  testing::AssertionResult agreesOn(const PlanSpec& plan, const Input& input, std::uint32_t viewCount = 1) {
    return agrees(*machine, makeScene(plan, input, viewCount, random));
  }
  testing::AssertionResult agreesOn(const PlanSpec& plan, std::uint32_t count, Pattern pattern) {
    return agreesOn(plan, makeInput(plan, count, pattern, random));
  }
  // Gives record i the key keyOf(i).
  template <typename KeyOf>
  static void setKeys(const PlanSpec& plan, Input& input, const KeyOf& keyOf) {
    for (std::uint32_t i = 0; i < input.count; ++i) {
      const std::uint32_t key = keyOf(i);
      std::memcpy(&input.records[std::size_t{i} * plan.info.recordStride + plan.info.key.offset], &key, sizeof key);
    }
  }

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  std::unique_ptr<Machine> machine = makeSimtMachine({.launch = [](const auto& launch, const auto& arguments) {
    EXPECT_NE(rowOf(launch.kernel).sortedRows, 0u) << "another kernel";
    launchOnCpu(launch, arguments);
  }});
};

INSTANTIATE_TEST_SUITE_P(, SimtSorted, testing::ValuesIn(kOrders),
                         [](const auto& order) { return order.param == SLU_ORDER_STABLE ? "stable" : "unordered"; });

TEST_P(SimtSorted, SizesAroundTiles) {
  for (const std::uint32_t stride : kStrides) {
    const PlanSpec plan = sorted(stride, 5, 15'000);
    const std::uint32_t tile = tileOf(plan);
    for (const std::uint32_t count : {0u, 1u, 31u, tile - 1, tile, tile + 1, 3 * tile + 7}) {
      ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << stride << " bytes, " << count;
    }
    ASSERT_TRUE(agreesOn(plan, 2 * tile, Pattern::none)) << stride;
    ASSERT_TRUE(agreesOn(plan, 2 * tile, Pattern::all)) << stride;
  }
}

// Around those of a warp, of so many that a bucket has fewer lanes, and of a block's threads, as these take at once, and
// as many as there may be.
TEST_P(SimtSorted, NumbersOfBuckets) {
  std::vector<std::uint32_t> bucketCounts = {2, 31, 32, 33, 64, 65, 512, 513, 1023, 1024};
  if (GetParam() == SLU_ORDER_UNORDERED) bucketCounts.insert(bucketCounts.end(), {1025, 4096});
  for (const std::uint32_t bucketCount : bucketCounts) {
    PlanSpec plan = sorted(16, bucketCount, 9000 / bucketCount + 5);
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    Input input = makeInput(plan, 2 * tileOf(plan) + 99, Pattern::half, random);
    setKeys(plan, input, [&](std::uint32_t) { return random.below(bucketCount + bucketCount / 8 + 1); });
    ASSERT_TRUE(agreesOn(plan, input)) << bucketCount;
  }
}

// Each bucket has records in one tile or two, and each tile has records for few of them.
TEST_P(SimtSorted, TilesWithoutRecordsForMostBuckets) {
  for (const std::uint32_t stride : kStrides) {
    const std::uint32_t bucketCount = bucketsOf(stride) - 1;
    const PlanSpec plan = sorted(stride, bucketCount, 30);
    Input input = makeInput(plan, 6 * tileOf(plan) + 11, Pattern::half, random);
    setKeys(plan, input, [&](std::uint32_t i) { return bucketCount - 1 - i * bucketCount / input.count; });
    ASSERT_TRUE(agreesOn(plan, input)) << stride << " bytes";
  }
}

TEST_P(SimtSorted, OneBucketThatTakesAll) {
  for (const std::uint32_t stride : kStrides) {
    for (const std::uint32_t bucket : {0u, 7u, 19u}) {
      const PlanSpec plan = sorted(stride, 20, 9000);
      Input input = makeInput(plan, 2 * tileOf(plan) + 1, Pattern::all, random);
      setKeys(plan, input, [&](std::uint32_t) { return bucket; });
      ASSERT_TRUE(agreesOn(plan, input)) << stride << " bytes, bucket " << bucket;
    }
  }
}

// What is written ends at the capacity, what is counted does not.
TEST_P(SimtSorted, CapacitiesWithinTilesAndAtTheirBounds) {
  for (const std::uint32_t stride : kStrides) {
    PlanSpec plan = sorted(stride, 3, 0);
    const std::uint32_t tile = tileOf(plan);
    Input input = makeInput(plan, 4 * tile, Pattern::all, random);
    setKeys(plan, input, [](std::uint32_t i) { return i % 2; });
    for (const std::uint32_t capacity : {0u, 1u, tile / 2 - 1, tile / 2, tile / 2 + 1, 2 * tile - 1, 2 * tile}) {
      plan.buckets = {SluBucket{capacity, {}}, SluBucket{2 * tile - capacity, {}}, SluBucket{1, {}}};
      ASSERT_TRUE(agreesOn(plan, input)) << stride << " bytes, " << capacity;
    }
  }
}

TEST_P(SimtSorted, KeysOutOfRangeAreCountedOnce) {
  for (const std::uint32_t stride : kStrides) {
    for (const std::uint32_t keyOffset : {0u, 4u, stride - 4}) {
      PlanSpec plan = sorted(stride, 6, 9000);
      plan.info.key.offset = keyOffset;
      plan.info.key.shift = random.between(0, 9);
      plan.info.key.bits = 3;
      ASSERT_TRUE(agreesOn(plan, 2 * tileOf(plan), Pattern::half)) << stride << " bytes, key at " << keyOffset;
    }
  }
}

TEST_P(SimtSorted, ViewsAndFramesThatFollowEachOther) {
  for (const std::uint32_t stride : {16u, 48u}) {
    PlanSpec plan = sorted(stride, bucketsOf(stride), 60);
    plan.info.maxViewCount = 3;
    const std::uint32_t tile = tileOf(plan);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t count : {2 * tile + 1, 5u, 0u, tile}) {
      const Input input = makeInput(plan, count, Pattern::half, random);
      builder.addFrame(builder.makeFrame(index, input, random.between(1, 3)));
    }
    const Scene scene = builder.finish();
    Trial trial(*machine, scene);
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(trial.run(memories, 2)) << stride << " bytes";
  }
}

// Launched for the upper bound: blocks beyond the count have nothing to do, and one publishes what is none.
TEST_P(SimtSorted, LiveCounts) {
  for (const std::uint32_t stride : kStrides) {
    const PlanSpec plan = sorted(stride, 40, 1000);
    const std::uint32_t tile = tileOf(plan);
    const std::uint32_t recordCount = 4 * tile;
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t liveCount : {recordCount, 0u, 1u, tile, tile + 1, recordCount + 1}) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, recordCount, Pattern::half, random));
      frame.liveCount = builder.addWord(liveCount);
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(*machine, builder.finish())) << stride << " bytes";
  }
}

// More than those that are looked at together.
TEST_P(SimtSorted, ManyTiles) {
  for (const std::uint32_t bucketCount : {3u, 200u}) {
    PlanSpec plan = sorted(64, bucketCount, 60'000 / bucketCount);
    plan.info.maxViewCount = 2;
    const std::uint32_t count = 70 * tileOf(plan) + 3;
    ASSERT_TRUE(agreesOn(plan, makeInput(plan, count, Pattern::half, random), 2)) << bucketCount;
  }
}

// So many buckets are those of the self-test (src/routes/vulkan_host/self_test.cpp), which is to ask for as much as plans may.
TEST(Sorted, BucketsOfTheSelfTestAreTheMostOnEveryGpu) {
  EXPECT_LE(cuda::sortedSharedBytes(1, cuda::kSortedShortRows, 752), kPortableSharedBytes);
  EXPECT_GT(cuda::sortedSharedBytes(1, cuda::kSortedShortRows, 753), kPortableSharedBytes);
}

// Status words carry the last epoch that they can, and then the first again, behind those of the frames before.
TEST(SimtSortedStable, EpochsBeginAgain) {
  const testing::ScopedTrace seed(__FILE__, __LINE__, describeSeed());
  constexpr std::uint64_t kLastEpoch = 0x7fffffff;  // of 31 bits
  constexpr std::uint32_t kFrames = 5, kViews = 2;
  Random random;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> epochs;  // of the views, after each frame
  const auto machine = makeSimtMachine({.launch = [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
    auto* views = reinterpret_cast<cuda::ViewProgress*>(static_cast<std::uintptr_t>(arguments.frame.progress));
    if (epochs.empty()) views[0].word = views[1].word = (kLastEpoch - 2) << 32;
    launchOnCpu(launch, arguments);
    epochs.emplace_back(views[0].word >> 32, views[1].word >> 32);
  }});
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 64, kMost);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  plan.info.maxViewCount = kViews;
  addBuckets(plan, 20, 1, 300, 8);
  const auto tile = static_cast<std::uint32_t>(machine->tileRecords(plan));
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    const Input input = makeInput(plan, (3 + frame % 2) * tile, Pattern::half, random);
    builder.addFrame(builder.makeFrame(index, input, kViews));
  }
  ASSERT_TRUE(agrees(*machine, builder.finish()));
  ASSERT_EQ(epochs.size(), kFrames);
  const std::uint64_t expected[] = {kLastEpoch - 1, 0, 1, 2, 3};
  for (std::uint32_t frame = 0; frame < kFrames; ++frame) {
    EXPECT_EQ(epochs[frame], std::pair(expected[frame], expected[frame])) << "frame " << frame;
  }
}

PlanLayout layoutToSort(SluOrder order, std::uint32_t bucketCount, std::uint32_t maxRecordCount) {
  PlanLayout layout;
  layout.order = order;
  layout.recordStride = 16;
  layout.maxRecordCount = maxRecordCount;
  layout.maxViewCount = 1;
  layout.live.test = SLU_LIVE_NON_EMPTY;
  layout.key.keyCount = bucketCount;
  layout.key.lodCount = 1;
  layout.outputs = SLU_OUTPUT_RECORDS_BIT;
  layout.buckets.resize(bucketCount);
  return layout;
}

// Beyond 64 MiB of status words, and with fewer than four records of a tile for each bucket, there are three launches.
TEST(SortedStable, LooksBackForFewBuckets) {
  constexpr std::uint32_t kMostTiles = 8192;  // of 1,024 buckets
  const auto kernelOf = [](const PlanLayout& layout, std::uint32_t sortedBytes = kAmpleBytes) {
    const CudaSchedule schedule(layout, SharedMemory::ample, {.sortedBytes = sortedBytes, .mostDecisionBytes = 0});
    EXPECT_EQ(schedule.launches(Frame{}).count, schedule.kernel() == CudaKernel::scatterBuckets ? 3 : 1);
    return schedule.kernel();
  };
  const std::uint32_t tile = cuda::sortedTileRecords(1, cuda::kSortedRows);
  PlanLayout layout = layoutToSort(SLU_ORDER_STABLE, 1024, kMostTiles * tile);
  EXPECT_EQ(kernelOf(layout), CudaKernel::compactSorted16Stable);
  ++layout.maxRecordCount;
  EXPECT_EQ(kernelOf(layout), CudaKernel::scatterBuckets);
  layout.maxViewCount = 2;
  layout.maxRecordCount = kMostTiles / 2 * tile;
  EXPECT_EQ(kernelOf(layout), CudaKernel::compactSorted16Stable);
  ++layout.maxRecordCount;
  EXPECT_EQ(kernelOf(layout), CudaKernel::scatterBuckets);

  EXPECT_EQ(kernelOf(layoutToSort(SLU_ORDER_STABLE, 1025, kMost)), CudaKernel::scatterBuckets);
  EXPECT_EQ(kernelOf(layoutToSort(SLU_ORDER_UNORDERED, 1025, kMost)), CudaKernel::compactSorted16);
  PlanLayout triples = layoutToSort(SLU_ORDER_STABLE, 320, kMost);
  triples.recordStride = 48;
  EXPECT_EQ(kernelOf(triples), CudaKernel::compactSorted48Stable);
  triples.buckets.resize(321);
  EXPECT_EQ(kernelOf(triples), CudaKernel::scatterBuckets);
  // Short tiles do not look back.
  EXPECT_EQ(kernelOf(layoutToSort(SLU_ORDER_UNORDERED, 5, kMost), kPortableSharedBytes),
            CudaKernel::compactSortedShort16);
  EXPECT_EQ(kernelOf(layoutToSort(SLU_ORDER_STABLE, 5, kMost), kPortableSharedBytes), CudaKernel::scatterBuckets);
}

// Without the memory for it another kernel takes the plan.
TEST(Sorted, NeedsSharedMemoryThatLaunchesAskFor) {
  const PlanLayout layout = layoutToSort(SLU_ORDER_UNORDERED, 1024, kMost);
  const auto launchWith = [&](std::uint32_t bytes) {
    return CudaSchedule(layout, SharedMemory::ample, {.sortedBytes = bytes}).launches(Frame{}).items[0];
  };
  const std::uint32_t needed = cuda::sortedSharedBytes(1, cuda::kSortedRows, 1024);
  EXPECT_EQ(launchWith(needed).kernel, CudaKernel::compactSorted16);
  EXPECT_EQ(launchWith(needed).block.sharedBytes, needed);
  const std::uint32_t neededByShort = cuda::sortedSharedBytes(1, cuda::kSortedShortRows, 1024);
  EXPECT_EQ(launchWith(needed - 1).kernel, CudaKernel::compactSortedShort16);
  EXPECT_EQ(launchWith(neededByShort).block.sharedBytes, neededByShort);
  EXPECT_EQ(launchWith(neededByShort - 1).kernel, CudaKernel::compactBuckets);
  EXPECT_EQ(launchWith(0).kernel, CudaKernel::compactBuckets);
}

}  // namespace
}  // namespace slu::test
