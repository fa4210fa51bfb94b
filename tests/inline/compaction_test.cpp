// The inline route's frames, executed on the CPU as they were recorded, against the CPU route.
#include <gtest/gtest.h>

#include "fake_machine.h"
#include "inputs.h"
#include "machines.h"
#include "plans.h"
#include "scene_builder.h"
#include "trial.h"

namespace slu::test {
namespace {

const FakeDriver kDrivers[] = {
    {},
    {.hasGraphics = false},
    {.offered = {kNv, VK_NV_SHADER_SM_BUILTINS_EXTENSION_NAME},
     .enabled = {kNv},
     .computeCapability = 999,
     .hasGraphics = false},
};
const char* const kNames[] = {"graphicsQueue", "computeQueue", "newerExtension"};

class InlineCompaction : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    takeMessages();
    try {
      machine = makeFakeMachine(kDrivers[GetParam()]);
    } catch (const Unavailable& unavailable) {
      GTEST_SKIP() << unavailable.what();
    }
  }
  void TearDown() override {
    dropReferencePlans();
    machine.reset();
    EXPECT_EQ(takeMessages(), "");
  }

  testing::AssertionResult agreesOn(const PlanSpec& plan, std::uint32_t count, Pattern pattern,
                                    std::uint32_t viewCount = 1) {
    return agrees(*machine, makeScene(plan, makeInput(plan, count, pattern, random), viewCount, random));
  }

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  std::unique_ptr<Machine> machine;
};

INSTANTIATE_TEST_SUITE_P(, InlineCompaction, testing::Range(0, 3),
                         [](const auto& driver) { return std::string(kNames[driver.param]); });

TEST_P(InlineCompaction, SizesAroundTiles) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 16u, 20u}) {
      for (const SluFlags outputs :
           {SluFlags{SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT}, SluFlags{SLU_OUTPUT_INDICES_BIT}}) {
        PlanSpec plan = simplePlan(order, stride, 20'000);
        plan.info.outputs = outputs;
        const auto tile = static_cast<std::uint32_t>(machine->tileRecords(plan));
        for (const std::uint32_t count : {0u, 1u, tile - 1, tile + 1, 4 * tile + 7}) {
          ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << count;
        }
      }
    }
  }
}

// Words of plans for many, which leave from registers where shared memory is scarce: around tiles, in views, beyond the
// capacity, and with a live count. In the last frame a block takes several tiles.
TEST_P(InlineCompaction, WordsOfPlansForMany) {
  for (const auto& [order, capacity] : {std::pair(SLU_ORDER_UNORDERED, 0u),
                                        {SLU_ORDER_UNORDERED, 777u},
                                        {SLU_ORDER_UNORDERED, 300'000u},
                                        {SLU_ORDER_STABLE, 777u},
                                        {SLU_ORDER_STABLE, 300'000u}}) {
    PlanSpec plan = simplePlan(order, 4, 1'100'000);
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.info.maxViewCount = 2;
    plan.buckets.assign(1, SluBucket{capacity, {}});
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, 0, random);
    const auto tile = static_cast<std::uint32_t>(machine->tileRecords(plan));
    for (const std::uint32_t count : {0u, 1u, tile - 1, tile, tile + 1, 3 * tile + 5}) {
      ASSERT_TRUE(agreesOn(plan, count, Pattern::half, 2)) << count << " words, " << capacity;
    }
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const Pattern pattern : {Pattern::half, Pattern::sparse}) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, 40 * tile, pattern, random));
      frame.liveCount = builder.addWord(39 * tile - 3);
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(*machine, builder.finish())) << capacity;
  }
}

TEST_P(InlineCompaction, Buckets) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 8, 6000);
    addBuckets(plan, 64, 1, 100, 4);
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    ASSERT_TRUE(agreesOn(plan, 5555, Pattern::half));
  }
}

TEST_P(InlineCompaction, RandomPlans) {
  for (int i = 0; i < 30; ++i) {
    const PlanSpec plan = makeRandomPlan(4000, random);
    const std::uint32_t viewCount = random.between(1, plan.info.maxViewCount == 0 ? 1 : plan.info.maxViewCount);
    ASSERT_TRUE(agreesOn(plan, random.between(0, plan.info.maxRecordCount), Pattern::half, viewCount)) << i;
  }
}

// Frames of one plan, in one command buffer that is executed three times, beside one that never is.
TEST_P(InlineCompaction, FramesAreExecutedAgainOrNever) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 12u}) {
      PlanSpec plan = simplePlan(order, stride, 30'000);
      if (stride == 4) plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const std::uint32_t count : {9000u, 5u, 0u, 20'000u}) {
        builder.addFrame(builder.makeFrame(index, makeInput(plan, count, Pattern::half, random)));
      }
      const Scene scene = builder.finish();
      const auto neverExecuted = machine->record(scene);
      Trial trial(*machine, scene);
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(trial.run(memories, 3));
    }
  }
}

}  // namespace
}  // namespace slu::test
