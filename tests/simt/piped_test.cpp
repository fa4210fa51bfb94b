// Records that pass through a pipe of shared memory: blocks that take many tiles, fixed ones and drawn ones, whole ones
// that are copied and the last.
#include <gtest/gtest.h>

#include "inputs.h"
#include "kernels/device/platform/tiles.h"
#include "kernels/schedule.h"
#include "plans.h"
#include "scene_builder.h"
#include "simt_machine.h"
#include "trial.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kPipedStrides[] = {8, 12, 28};
constexpr std::uint32_t kPipedMost = 150'000;  // records

class SimtPiped : public testing::Test {
 protected:
  static PlanSpec piped(std::uint32_t stride) {
    PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, stride, kPipedMost);
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.buckets.assign(1, SluBucket{kPipedMost, {}});
    return plan;
  }
  std::unique_ptr<Machine> makePipedMachine(std::uint32_t residentBlocks) {
    return makeSimtMachine(
        {.residentBlocks = residentBlocks, .pipedFrom = 0, .launch = [this](const auto& launch, const auto& arguments) {
           EXPECT_TRUE(takesAnyKernel || rowOf(launch.kernel).isPiped) << "another kernel";
           launchOnCpu(launch, arguments);
         }});
  }
  void setBlocks(std::uint32_t residentBlocks) { machine = makePipedMachine(residentBlocks); }
  static std::uint32_t tileOf(const PlanSpec& plan) { return cuda::pipedTileRecords(plan.info.recordStride / 4); }
  // Adds a frame whose records lie so many bytes behind multiples of 64, and what is kept of them 8.
  FrameSpec makeFrame(SceneBuilder& builder, std::uint32_t plan, std::uint32_t count, Pattern pattern,
                      std::uint32_t alignment = 0, std::uint32_t viewCount = 1) {
    const Input input = makeInput(builder.plan(plan), count, pattern, random);
    FrameSpec frame = builder.makeFrame(plan, input, viewCount);
    frame.records = builder.addInput(input.records, alignment);
    const PlanSpec& spec = builder.plan(plan);
    frame.keptRecords = builder.addOutput(spec.outputsPerView() * spec.info.recordStride * viewCount, 8);
    return frame;
  }
  testing::AssertionResult agreesOn(const PlanSpec& plan, std::uint32_t count, Pattern pattern,
                                    std::uint32_t alignment = 0, std::uint32_t viewCount = 1) {
    SceneBuilder builder(random);
    builder.addFrame(makeFrame(builder, builder.addPlan(plan), count, pattern, alignment, viewCount));
    return agrees(*machine, builder.finish());
  }

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  bool takesAnyKernel = false;
  std::unique_ptr<Machine> machine = makePipedMachine(SimtOptions{}.residentBlocks);
};

TEST_F(SimtPiped, SizesAroundTiles) {
  for (const std::uint32_t stride : kPipedStrides) {
    const PlanSpec plan = piped(stride);
    const std::uint32_t tile = tileOf(plan);
    for (const std::uint32_t count : {0u, 1u, 31u, tile - 1, tile, tile + 1, 3 * tile, 5 * tile - 1}) {
      ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << stride << " bytes, " << count;
    }
    for (const Pattern pattern : kPatterns) ASSERT_TRUE(agreesOn(plan, 4 * tile + 3, pattern)) << stride;
  }
}

// Fewer tiles than blocks have fixed ones, as many, one more, and many more; each frame finds what the one before left.
TEST_F(SimtPiped, FramesOfFixedAndOfDrawnTiles) {
  for (const std::uint32_t blocks : {1u, 2u, 4u}) {
    setBlocks(blocks);
    const PlanSpec plan = piped(12);
    const std::uint32_t tile = tileOf(plan);
    const std::uint32_t fixed = blocks * cuda::kPipedStages;
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t tiles : {fixed, fixed + 1, 1u, fixed - 1, 3 * fixed - 1, fixed - blocks + 1, blocks + 1}) {
      const Pattern pattern = random.pick({Pattern::half, Pattern::sparse, Pattern::all});
      builder.addFrame(makeFrame(builder, index, tiles * tile - random.below(tile), pattern));
    }
    const Scene scene = builder.finish();
    Trial trial(*machine, scene);
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(trial.run(memories, 2)) << blocks << " blocks";
  }
}

// More blocks than tiles, as many, fewer.
TEST_F(SimtPiped, LiveCounts) {
  constexpr std::uint32_t kBlocks = 4;
  setBlocks(kBlocks);
  for (const std::uint32_t stride : kPipedStrides) {
    const PlanSpec plan = piped(stride);
    const std::uint32_t tile = tileOf(plan);
    const std::uint32_t most = 3 * kBlocks * tile;
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t liveCount : {most, 0u, tile, kBlocks * tile, kBlocks * tile + 1, 9 * tile + 5, most + 1}) {
      FrameSpec frame = makeFrame(builder, index, most, Pattern::half);
      frame.liveCount = builder.addWord(liveCount);
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(*machine, builder.finish())) << stride << " bytes";
  }
}

// Where input and output are; another kernel takes records that copies cannot, and outputs that stores cannot.
TEST_F(SimtPiped, AnyAlignment) {
  takesAnyKernel = true;
  for (const std::uint32_t stride : kPipedStrides) {
    const PlanSpec plan = piped(stride);
    const std::uint32_t tile = tileOf(plan);
    for (const std::uint32_t alignment : {0u, 4u, 16u, 24u, 48u}) {
      for (const std::uint32_t outputAlignment : {0u, 4u, 8u, 16u}) {
        SceneBuilder builder(random);
        const std::uint32_t index = builder.addPlan(plan);
        FrameSpec frame = makeFrame(builder, index, 2 * tile + 3, Pattern::half, alignment);
        frame.keptRecords = builder.addOutput(std::uint64_t{kPipedMost} * stride, outputAlignment);
        builder.addFrame(frame);
        ASSERT_TRUE(agrees(*machine, builder.finish())) << stride << " bytes, " << alignment << ", " << outputAlignment;
      }
    }
  }
}

TEST_F(SimtPiped, EveryLiveTestOfARecord) {
  for (const std::uint32_t stride : kPipedStrides) {
    PlanSpec plan = piped(stride);
    const std::uint32_t count = tileOf(plan) + 1;
    for (std::uint32_t offset = 0; offset < stride; offset += 4) {
      for (const SluLiveTest test : {SLU_LIVE_POSITIVE_INT, SLU_LIVE_POSITIVE_FLOAT}) {
        plan.info.live = {test, offset, 0};
        ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << stride << " bytes, test " << test << " at " << offset;
      }
      for (const std::uint32_t size : {4u, 4 * random.between(1, (stride - offset) / 4), stride - offset}) {
        plan.info.live = {SLU_LIVE_NON_EMPTY, offset, size};
        ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << stride << " bytes, " << size << " at " << offset;
      }
    }
  }
}

TEST_F(SimtPiped, CapacitiesDrawsAndViews) {
  setBlocks(2);
  for (const std::uint32_t stride : kPipedStrides) {
    PlanSpec plan = piped(stride);
    const std::uint32_t tile = tileOf(plan);
    plan.info.maxViewCount = 2;
    for (const std::uint32_t capacity : {0u, 1u, tile, 3 * tile + 5}) {
      plan.buckets.assign(1, SluBucket{capacity, {}});
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random);
      ASSERT_TRUE(agreesOn(plan, 8 * tile + 1, Pattern::half, 0, 2)) << stride << " bytes, capacity " << capacity;
    }
  }
}

TEST_F(SimtPiped, InPlace) {
  for (const std::uint32_t stride : kPipedStrides) {
    PlanSpec plan = piped(stride);
    plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
    SceneBuilder builder(random);
    const Input input = makeInput(plan, kPipedMost, Pattern::half, random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
    frame.records = frame.keptRecords = builder.addInput(input.records, 8);
    builder.addFrame(frame);
    ASSERT_TRUE(agrees(*machine, builder.finish())) << stride;
  }
}

// Another kernel takes frames of fewer bytes, of records that copies cannot take, or of outputs that stores cannot, and
// plans of launches that cannot ask for the memory.
TEST(Piped, TakesLargeFramesOfAlignedRecords) {
  PlanLayout layout;
  layout.recordStride = 12;
  layout.maxRecordCount = 100'000'000;
  layout.live.test = SLU_LIVE_NON_EMPTY;
  layout.key.keyCount = 1;
  layout.key.lodCount = 1;
  layout.outputs = SLU_OUTPUT_RECORDS_BIT;
  layout.buckets.resize(1);
  constexpr std::uint32_t kTiles = 500, kTile = cuda::pipedTileRecords(3), kNeeded = cuda::pipedSharedBytes(3);
  constexpr std::uint64_t kFrom = 12ull * kTiles * kTile;
  const auto launchOf = [&](std::uint32_t bytes, std::uint32_t recordCount, std::uint64_t address,
                            std::uint64_t outputAddress = 8192 + 4) {
    CudaSchedule schedule(layout, SharedMemory::ample, {.pipedBytes = bytes, .pipedFrom = kFrom});
    schedule.place(0, 0, 0, 1000, 100);
    Frame frame;
    frame.recordCount = recordCount;
    frame.viewCount = 1;
    frame.records.address = address;
    frame.keptRecords.address = outputAddress;
    return schedule.launches(frame).items[0];
  };
  const CudaLaunch launch = launchOf(kNeeded, kTiles * kTile, 4096 + 16);
  EXPECT_EQ(launch.kernel, CudaKernel::compactPiped12);
  EXPECT_EQ(launch.x, 100u);
  EXPECT_EQ(launch.block.sharedBytes, kNeeded);
  EXPECT_EQ(launchOf(kNeeded, kTiles * kTile, 4096 + 8).kernel, CudaKernel::compactStaged12);
  EXPECT_EQ(launchOf(kNeeded, kTiles * kTile - 1, 4096).kernel, CudaKernel::compactStaged12);
  EXPECT_EQ(launchOf(kNeeded - 1, kTiles * kTile, 4096).kernel, CudaKernel::compactStaged12);
  layout.order = SLU_ORDER_STABLE;
  EXPECT_EQ(launchOf(kNeeded, kTiles * kTile, 4096).kernel, CudaKernel::compactStaged12Stable);
  layout.order = SLU_ORDER_UNORDERED;
  layout.recordStride = 16;
  EXPECT_EQ(launchOf(kNeeded, kTiles * kTile, 4096).kernel, CudaKernel::compactWide16);
  layout.recordStride = 8;
  constexpr std::uint32_t kAmple = cuda::pipedSharedBytes(2);
  EXPECT_EQ(launchOf(kAmple, 2 * kTiles * kTile, 4096, 8192 + 8).kernel, CudaKernel::compactPiped8);
  EXPECT_EQ(launchOf(kAmple, 2 * kTiles * kTile, 4096, 8192 + 4).kernel, CudaKernel::compactWide8);
}

}  // namespace
}  // namespace slu::test
