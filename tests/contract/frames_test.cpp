// What lasts from frame to frame, and what must not.
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

std::uint32_t& wordAt(std::vector<Bytes>& memories, const Place& place, std::uint64_t offset = 0) {
  return *reinterpret_cast<std::uint32_t*>(&memories[place.memory][place.offset + offset]);
}

// A plan with all that leaves something in scratch memory: buckets, views, rejects, draws.
PlanSpec makeBusyPlan(SluOrder order, std::uint32_t maxRecordCount, Random& random) {
  PlanSpec plan = simplePlan(order, 32, maxRecordCount);
  plan.info.maxViewCount = 6;
  addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 8);
  addBuckets(plan, 3, 2, maxRecordCount / 4, 4);
  plan.info.key.bits = 2;
  addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
  return plan;
}

TEST_P(Contract, OverflowFlagsStayUntilCleared) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 1000);
    addBuckets(plan, 1, 1, 100);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    const Place liveCount = builder.addWord(1000);
    FrameSpec frame = builder.makeFrame(index, makeInput(plan, 1000, Pattern::all, random));
    frame.liveCount = liveCount;
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    const auto overflow = [&]() -> std::uint32_t& {
      return wordAt(memories, frame.statistics, offsetof(SluStatistics, overflow));
    };
    Trial trial(machine(), scene);

    overflow() = 0;
    wordAt(memories, liveCount) = 50;
    ASSERT_TRUE(trial.run(memories));
    EXPECT_EQ(overflow(), 0u);
    wordAt(memories, liveCount) = 200;
    ASSERT_TRUE(trial.run(memories));
    EXPECT_EQ(overflow(), std::uint32_t{SLU_OVERFLOW_CAPACITY_BIT});
    wordAt(memories, liveCount) = 50;
    ASSERT_TRUE(trial.run(memories));
    EXPECT_EQ(overflow(), std::uint32_t{SLU_OVERFLOW_CAPACITY_BIT}) << "the flag did not stay";
    wordAt(memories, liveCount) = 1001;
    ASSERT_TRUE(trial.run(memories));
    EXPECT_EQ(overflow(), std::uint32_t{SLU_OVERFLOW_CAPACITY_BIT | SLU_OVERFLOW_INPUT_BIT});
    overflow() = 0;
    wordAt(memories, liveCount) = 100;
    ASSERT_TRUE(trial.run(memories));
    EXPECT_EQ(overflow(), 0u) << "the host had cleared the flags";
  }
}

TEST_P(Contract, LiveCounts) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = simplePlan(order, 4, 5000);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t recordCount : {0u, 1u, 2000u, 5000u}) {
      for (const std::uint32_t liveCount : {0u, 1u, recordCount / 2, recordCount, recordCount + 1, 0xffffffffu}) {
        FrameSpec frame = builder.makeFrame(index, makeInput(plan, recordCount, Pattern::half, random));
        frame.liveCount = builder.addWord(liveCount);
        builder.addFrame(frame);
      }
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
  }
}

// More sets of buffers, offsets and LOD distances than the Vulkan route remembers, each of them twice.
TEST_P(Contract, FramesThatBindManyPlaces) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeBusyPlan(order, 300, random);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (std::uint32_t i = 0; i < 80; ++i) {
      const std::uint32_t viewCount = i % 3 == 2 ? 1 + random.below(6) : 1;
      builder.addFrame(builder.makeFrame(index, makeInput(plan, 300, Pattern::half, random), viewCount));
    }
    Scene scene = builder.finish();
    const std::vector<FrameSpec> frames = scene.frames;
    scene.frames.insert(scene.frames.end(), frames.begin(), frames.end());
    ASSERT_TRUE(agrees(machine(), scene)) << "; " << describe(plan);
  }
}

TEST_P(Contract, NothingAtAll) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeBusyPlan(order, 100, random);
    ASSERT_TRUE(agreesOn(plan, 0, Pattern::none, 1));
    ASSERT_TRUE(agreesOn(plan, 0, Pattern::none, 6));
  }
}

// What takes no bytes may be left unbound: records when there are none, outputs when no bucket has room.
TEST_P(Contract, NothingBoundWhereNothingIsTaken) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 100);
    addBuckets(plan, 1, 1, 0);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t count : {0u, 100u}) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, count, Pattern::half, random));
      if (count == 0) frame.records = {};
      frame.indices = {};
      frame.keptRecords = {};
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
  }
}

// Large, small and empty frames and different numbers of views in turn leave nothing behind for each other.
TEST_P(Contract, StaleScratch) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeBusyPlan(order, 20'000, random);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (int round = 0; round < 3; ++round) {
      for (const auto& [count, views] : {std::pair{20'000u, 6u}, {1u, 6u}, {0u, 2u}, {3000u, 1u}, {700u, 3u}}) {
        builder.addFrame(builder.makeFrame(index, makeInput(plan, count, Pattern::half, random), views));
      }
      ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
    }
  }
}

// One recording, a hundred submissions, other records in each.
TEST_P(Contract, HundredFramesOfOneRecording) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeBusyPlan(order, 3000, random);
    SceneBuilder builder(random);
    const Place liveCount = builder.addWord(0);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, 3000, Pattern::half, random), 4);
    frame.liveCount = liveCount;
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    Trial trial(machine(), scene);
    for (int i = 0; i < 100; ++i) {
      const Input input = makeInput(plan, 3000, random.pick({Pattern::half, Pattern::sparse, Pattern::all}), random);
      std::memcpy(&memories[frame.records.memory][frame.records.offset], input.records.data(), input.records.size());
      wordAt(memories, liveCount) = random.below(3100);
      random.fill(memories[frame.indices.memory]);
      ASSERT_TRUE(trial.run(memories)) << "; submission " << i;
    }
  }
}

// The same input over and over: a stable plan gives the same bytes each time, an unordered one the same sets.
TEST_P(Contract, ManyRunsOverTheSameInput) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeBusyPlan(order, 8000, random);
    const Scene scene = makeScene(plan, makeInput(plan, 8000, Pattern::half, random), 2, random);
    Trial trial(machine(), scene);
    for (int i = 0; i < 20; ++i) {
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(trial.run(memories)) << "; run " << i;
    }
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(trial.run(memories, 10)) << "; one submission of the recording ten times";
  }
}

// A hundred recordings, each of another size.
TEST_P(Contract, HundredRecordings) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeBusyPlan(order, 6000, random);
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(agreesOn(plan, random.below(6001), random.pick({Pattern::half, Pattern::none, Pattern::clustered}),
                           random.between(1, 6)));
    }
  }
}

}  // namespace
}  // namespace slu::test
