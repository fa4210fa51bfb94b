// Records that are sorted by bucket in shared memory before they leave: the bounds of its tiles, runs and counters.
#include <gtest/gtest.h>

#include <cstring>

#include "cuda/kernels/tiles.h"
#include "cuda/schedule.h"
#include "inputs.h"
#include "plans.h"
#include "scene_builder.h"
#include "simt_machine.h"
#include "trial.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kStrides[] = {16, 32, 48, 64};
constexpr std::uint32_t kMost = 300'000;  // records of a plan: enough for it to sort

class SimtSorted : public testing::Test {
 protected:
  // Records alone, by a key that some of them have out of range.
  PlanSpec sorted(std::uint32_t stride, std::uint32_t bucketCount, std::uint32_t capacity) {
    PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, stride, kMost);
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.info.live = {SLU_LIVE_NON_EMPTY, 0, stride - 8};
    addBuckets(plan, bucketCount, 1, capacity, stride - 8);
    return plan;
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
  std::unique_ptr<Machine> machine = makeSimtMachine();
};

TEST_F(SimtSorted, SizesAroundTiles) {
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

// As many as a block has threads, as these take at once, one more, and as many as there may be.
TEST_F(SimtSorted, NumbersOfBuckets) {
  for (const std::uint32_t bucketCount : {2u, 512u, 513u, 1024u, 1025u, 4096u}) {
    PlanSpec plan = sorted(16, bucketCount, 9000 / bucketCount + 5);
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    Input input = makeInput(plan, 2 * tileOf(plan) + 99, Pattern::half, random);
    setKeys(plan, input, [&](std::uint32_t) { return random.below(bucketCount + bucketCount / 8 + 1); });
    ASSERT_TRUE(agreesOn(plan, input)) << bucketCount;
  }
}

TEST_F(SimtSorted, OneBucketThatTakesAll) {
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
TEST_F(SimtSorted, CapacitiesWithinTilesAndAtTheirBounds) {
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

TEST_F(SimtSorted, KeysOutOfRangeAreCountedOnce) {
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

TEST_F(SimtSorted, ViewsAndFramesThatFollowEachOther) {
  for (const std::uint32_t stride : {16u, 48u}) {
    PlanSpec plan = sorted(stride, 1200, 60);
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
TEST_F(SimtSorted, LiveCounts) {
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

// So many buckets are those of the self-test (src/vulkan/self_test.cpp), which is to ask for as much as plans may.
TEST(Sorted, BucketsOfTheSelfTestAreTheMostOnEveryGpu) {
  EXPECT_LE(cuda::sortedSharedBytes(1, cuda::kSortedShortRows, 752), kPortableSharedBytes);
  EXPECT_GT(cuda::sortedSharedBytes(1, cuda::kSortedShortRows, 753), kPortableSharedBytes);
}

// Without the memory for it another kernel takes the plan.
TEST(Sorted, NeedsSharedMemoryThatLaunchesAskFor) {
  PlanLayout layout;
  layout.recordStride = 16;
  layout.maxRecordCount = kMost;
  layout.live.test = SLU_LIVE_NON_EMPTY;
  layout.key.keyCount = 1024;
  layout.key.lodCount = 1;
  layout.outputs = SLU_OUTPUT_RECORDS_BIT;
  layout.buckets.resize(1024);
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
