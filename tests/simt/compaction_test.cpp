// The CUDA route's kernels, compiled for the CPU, against the CPU route: small cases of what the contract suite asks of
// every route.
#include <gtest/gtest.h>

#include <algorithm>

#include "inputs.h"
#include "plans.h"
#include "scene_builder.h"
#include "simt_machine.h"
#include "trial.h"

namespace slu::test {
namespace {

class SimtCompaction : public testing::TestWithParam<SharedMemory> {
 protected:
  testing::AssertionResult agreesOn(const PlanSpec& plan, std::uint32_t count, Pattern pattern,
                                    std::uint32_t viewCount = 1) {
    const Input input = makeInput(plan, count, pattern, random);
    return agrees(*machine, makeScene(plan, input, viewCount, random));
  }
  // Records of 96 and 128 bytes have two algorithms with tiles of their own, and these are the larger ones.
  std::uint32_t tileOf(const PlanSpec& plan) {
    const auto tile = static_cast<std::uint32_t>(machine->tileRecords(plan));
    return plan.info.recordStride > 64 ? std::max(tile, cuda::kTileRecords) : tile;
  }

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  std::unique_ptr<Machine> machine = makeSimtMachine({.sharedMemory = GetParam()});
};

INSTANTIATE_TEST_SUITE_P(, SimtCompaction, testing::ValuesIn(kSharedMemories),
                         [](const auto& kind) { return kind.param == SharedMemory::ample ? "ample" : "scarce"; });

TEST_P(SimtCompaction, SizesAroundTiles) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 16u, 20u}) {  // narrow, wide, and neither
      PlanSpec plan = simplePlan(order, stride, 20'000);
      const std::uint32_t tile = tileOf(plan);
      for (const std::uint32_t count : {0u, 1u, 31u, 33u, tile - 1, tile, tile + 1, 2 * tile + 1, 4 * tile + 7}) {
        ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << count;
      }
      ASSERT_TRUE(agreesOn(plan, 3 * tile, Pattern::none));
      ASSERT_TRUE(agreesOn(plan, 3 * tile, Pattern::all));
    }
  }
}

TEST_P(SimtCompaction, NarrowRecordsAsRecordsAlone) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t maxCount : {40'000u, 1'000'000u, 3'000'000u}) {  // small, medium and large tiles
      PlanSpec plan = simplePlan(order, 4, maxCount);
      plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
      const std::uint32_t tile = tileOf(plan);
      for (const std::uint32_t count : {0u, 1u, tile - 1, tile, tile + 1, 8 * tile + 5}) {
        ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << count << " of " << maxCount;
      }
      ASSERT_TRUE(agreesOn(plan, 3 * tile - 1, Pattern::sparse)) << maxCount;
      ASSERT_TRUE(agreesOn(plan, 3 * tile - 1, Pattern::all)) << maxCount;
    }
  }
}

TEST_P(SimtCompaction, WiderRecordsAsRecordsAlone) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {8u, 12u, 16u, 20u, 32u, 48u, 60u, 64u, 96u, 128u}) {
      PlanSpec plan = simplePlan(order, stride, stride > 64 ? 300'000 : 20'000);  // of long ones many
      plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
      plan.buckets.assign(1, SluBucket{20'000, {}});
      const std::uint32_t tile = tileOf(plan);
      for (const std::uint32_t count : {0u, 1u, tile - 1, tile, tile + 1, 7 * tile + 3}) {
        ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << stride << " bytes, " << count;
      }
      plan.info.live = {SLU_LIVE_POSITIVE_FLOAT, stride - 4, 0};
      ASSERT_TRUE(agreesOn(plan, 3 * tile + 1, Pattern::half)) << stride;
      plan.info.live = {SLU_LIVE_NON_EMPTY, 4, std::max(stride - 8, 4u)};
      ASSERT_TRUE(agreesOn(plan, 3 * tile + 1, Pattern::half)) << stride;
    }
  }
}

TEST_P(SimtCompaction, BucketsInBothOrders) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t bucketCount : {2u, 64u, 1000u}) {
      PlanSpec plan = simplePlan(order, 8, 6000);
      addBuckets(plan, bucketCount, 1, 9000 / bucketCount, 4);
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random);
      ASSERT_TRUE(agreesOn(plan, 5555, Pattern::half)) << bucketCount;
    }
  }
}

// One frame in two reads records once for all views. More buckets than threads take several rounds to place.
TEST_P(SimtCompaction, PackedBuckets) {
  for (const std::uint32_t bucketCount : {2u, 1'200u}) {
    for (const bool hasVolumes : {false, true}) {
      PlanSpec plan = simplePlan(random.chance(0.7) ? SLU_ORDER_UNORDERED : SLU_ORDER_STABLE, 40, 3'000);
      plan.info.maxViewCount = 3;
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 8, hasVolumes ? SLU_SHAPE_BOX : SLU_SHAPE_SPHERE);
      addBuckets(plan, bucketCount / 2, 2, 0, 4);
      plan.info.key.bits = bucketCount > 2 ? 10 : 0;
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, random.below(2), random);
      for (const std::uint32_t capacity : {0u, 1u, 500u}) {
        packBuckets(plan, capacity);
        const std::uint32_t viewCount = random.pick({1u, 3u});
        ASSERT_TRUE(agreesOn(plan, random.between(2'000, 3'000), Pattern::all, viewCount)) << describe(plan);
      }
    }
  }
}

TEST_P(SimtCompaction, RandomPlans) {
  for (int i = 0; i < 60; ++i) {
    const PlanSpec plan = makeRandomPlan(4000, random);
    const std::uint32_t viewCount = random.between(1, plan.info.maxViewCount == 0 ? 1 : plan.info.maxViewCount);
    ASSERT_TRUE(agreesOn(plan, random.between(0, plan.info.maxRecordCount), Pattern::half, viewCount)) << i;
  }
}

TEST_P(SimtCompaction, FramesFollowEachOther) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 12u, 20u, 128u}) {
      const std::uint32_t most = stride <= 12 ? 30'000 : 6'000;
      PlanSpec plan = simplePlan(order, stride, stride == 128 ? 300'000 : most);
      plan.buckets.assign(1, SluBucket{most, {}});
      if (stride != 20) plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
      // Stable frames of few tiles, one per block, between those of many.
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const std::uint32_t count : {most, 5u, most / 3, 0u, most / 3 * 2, most}) {
        const Pattern pattern = random.pick({Pattern::half, Pattern::all});
        builder.addFrame(builder.makeFrame(index, makeInput(plan, count, pattern, random)));
      }
      const Scene scene = builder.finish();
      Trial trial(*machine, scene);
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(trial.run(memories, 3));
    }
  }
}

// Launched for the upper bound, with as many tiles as there turn out to be: fewer than the blocks, as many, more.
TEST_P(SimtCompaction, LiveCountsAroundTheGrid) {
  for (const SluOrder order : kOrders) {
    // Of words the three kinds of tiles.
    for (const auto& [stride, most] :
         {std::pair(4u, 200'000u), {4u, 300'000u}, {4u, 3'000'000u}, {12u, 300'000u}, {128u, 300'000u}}) {
      PlanSpec plan = simplePlan(order, stride, most);
      plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
      plan.buckets.assign(1, SluBucket{50'000, {}});
      const std::uint32_t tile = tileOf(plan);
      const std::uint32_t recordCount = 5 * tile;
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const std::uint32_t liveCount : {recordCount, 0u, 1u, 2 * tile, 3 * tile, 3 * tile + 1, recordCount}) {
        const Pattern pattern = random.pick({Pattern::half, Pattern::sparse});
        FrameSpec frame = builder.makeFrame(index, makeInput(plan, recordCount, pattern, random));
        frame.liveCount = builder.addWord(liveCount);
        builder.addFrame(frame);
      }
      ASSERT_TRUE(agrees(*machine, builder.finish())) << stride << " bytes, " << most;
    }
  }
}

// Blocks choose between two algorithms by what earlier frames kept. Here most of them begin when the frame has
// published, and have no tile in one of the two.
TEST_P(SimtCompaction, BlocksThatAreLateChooseAsTheOthers) {
  constexpr std::uint32_t kBlocks = 24;  // the larger tiles take three of them, and the smaller ones 13 or more
  machine = makeSimtMachine({.residentBlocks = kBlocks, .sharedMemory = GetParam(), .launch = launchBlockByBlock});
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {96u, 128u}) {
      PlanSpec plan = simplePlan(order, stride, 300'000);
      plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
      plan.buckets.assign(1, SluBucket{3 * tileOf(plan), {}});
      const std::uint32_t recordCount = kBlocks * static_cast<std::uint32_t>(machine->tileRecords(plan));
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const Pattern pattern : {Pattern::all, Pattern::all, Pattern::none, Pattern::none, Pattern::all,
                                    Pattern::sparse, Pattern::all, Pattern::all, Pattern::all}) {
        FrameSpec frame = builder.makeFrame(index, makeInput(plan, recordCount, pattern, random));
        frame.liveCount = builder.addWord(random.between(2 * tileOf(plan) + 1, 3 * tileOf(plan)));
        builder.addFrame(frame);
      }
      ASSERT_TRUE(agrees(*machine, builder.finish())) << describe(plan);
    }
  }
}

// Stable frames of more tiles than blocks: one block turns counts into prefixes while the others take tile after tile.
TEST_P(SimtCompaction, ABlockScansForTheOthers) {
  for (const std::uint32_t residentBlocks : {2u, 3u}) {
    machine = makeSimtMachine({.residentBlocks = residentBlocks, .sharedMemory = GetParam()});
    // The kernel of each shape; the last one evaluates any predicate.
    for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 20u, 32u, 48u, 64u, 128u}) {
      PlanSpec plan = simplePlan(SLU_ORDER_STABLE, stride, 300'000);  // of words so many that tiles are the large ones
      plan.info.maxViewCount = 2;
      plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
      const std::uint32_t tile = tileOf(plan);
      plan.buckets.assign(1, {10 * tile, {}});
      ASSERT_TRUE(agreesOn(plan, random.between(9 * tile, 12 * tile), Pattern::half, 2)) << stride;
      ASSERT_TRUE(agreesOn(plan, random.between(4 * tile, 12 * tile), Pattern::all)) << stride;
    }
  }
}

// One to two tiles for each block that takes any: fewer blocks are launched than there is room for.
TEST_P(SimtCompaction, BlocksShareTilesEvenly) {
  machine = makeSimtMachine({.residentBlocks = 6, .sharedMemory = GetParam()});
  for (const std::uint32_t stride : {4u, 16u, 128u}) {
    PlanSpec plan = simplePlan(SLU_ORDER_STABLE, stride, 300'000);
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
    const std::uint32_t tile = tileOf(plan);
    plan.buckets.assign(1, {12 * tile, {}});
    for (const std::uint32_t tiles : {6u, 7u, 8u, 10u, 11u}) {
      ASSERT_TRUE(agreesOn(plan, tiles * tile - random.below(tile), Pattern::half)) << tiles << " tiles, " << stride;
    }
  }
}

// More tiles than the block that scans has threads.
TEST_P(SimtCompaction, ABlockScansMoreTilesThanItHasThreads) {
  constexpr std::uint32_t kTilesAtOnce = 256;
  machine = makeSimtMachine({.residentBlocks = 3, .sharedMemory = GetParam()});
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 64, 100'000);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  const std::uint32_t tile = tileOf(plan);
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (const std::uint32_t tiles : {kTilesAtOnce + random.below(50), 2u, kTilesAtOnce, kTilesAtOnce + 1}) {
    const Pattern pattern = random.pick({Pattern::half, Pattern::clustered, Pattern::all});
    builder.addFrame(builder.makeFrame(index, makeInput(plan, tiles * tile - random.below(tile), pattern, random)));
  }
  ASSERT_TRUE(agrees(*machine, builder.finish()));
}

}  // namespace
}  // namespace slu::test
