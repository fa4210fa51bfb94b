// Sparse plans: packed buckets that are too many for one block.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "inputs.h"
#include "plans.h"
#include "scene_builder.h"
#include "simt_machine.h"
#include "trial.h"

namespace slu::test {
namespace {

class SimtSparse : public testing::Test {
 protected:
  static constexpr std::uint32_t kKeyOffset = 4, kMost = 6000;

  // Makes a plan with keyCount meshes or, without draws, as many keys.
  PlanSpec makePlan(std::uint32_t keyCount, std::uint32_t lodCount, bool draws, std::uint32_t capacity) {
    PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 48, kMost);
    plan.info.maxViewCount = 3;
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
    if (lodCount > 1) addCulling(plan, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16);
    addBuckets(plan, keyCount, lodCount, 0, kKeyOffset);
    if (draws) {
      plan.info.outputs |= SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
      const SluFlags front =
          random.pick({0u, SluFlags{SLU_DRAWS_FIRST_IN_FRONT_BIT}, SluFlags{SLU_DRAWS_BUCKET_IN_FRONT_BIT},
                       SluFlags{SLU_DRAWS_NUMBER_IN_FRONT_BIT}});
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT | front, random);
      addMeshes(plan, SLU_MESH_FIRST_ELEMENT_BIT);
      plan.info.zeroCommandCount = random.pick({0u, 5u, 100'000u});
    }
    packBuckets(plan, capacity);
    return plan;
  }

  // Gives each record the key that keyOf(record) says.
  template <typename KeyOf>
  Input makeKeyed(const PlanSpec& plan, std::uint32_t count, const KeyOf& keyOf) {
    Input input = makeInput(plan, count, Pattern::half, random);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t key = keyOf(i);
      std::memcpy(&input.records[std::size_t{i} * plan.info.recordStride + kKeyOffset], &key, sizeof(key));
    }
    return input;
  }

  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  std::unique_ptr<Machine> machine = makeSimtMachine();
};

// Records of any keys, of the last one, of two, of runs, and of keys that the plan does not have. Each frame finds what the
// one before it left behind.
TEST_F(SimtSparse, KeysOfAnySpread) {
  for (const std::uint32_t keyCount : {SLU_MAX_BUCKETS + 1, 1u << 13, 1u << 17}) {
    for (const bool draws : {false, true}) {
      const PlanSpec plan = makePlan(keyCount, 1, draws, random.pick({0u, 1u, 700u}));
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      const auto add = [&](const auto& keyOf) {
        const std::uint32_t count = random.pick({0u, 1u, 1024u, kMost});
        FrameSpec frame = builder.makeFrame(index, makeKeyed(plan, count, keyOf), random.between(1, 3));
        if (random.chance(0.5)) frame.liveCount = builder.addWord(random.below(count + 2));
        builder.addFrame(frame);
      };
      add([&](std::uint32_t) { return random.below(keyCount); });
      add([&](std::uint32_t) { return keyCount - 1; });
      add([&](std::uint32_t) { return random.pick({0u, keyCount - 1}); });
      add([&](std::uint32_t i) { return i / 7 % keyCount; });
      add([&](std::uint32_t) { return random.pick({keyCount, 0xffffffffu, random.below(keyCount)}); });
      ASSERT_TRUE(agrees(*machine, builder.finish())) << describe(plan);
    }
  }
}

// Chunks of several rounds, of which most are empty. A frame of few meshes does not look at most of them.
TEST_F(SimtSparse, ChunksOfSeveralRounds) {
  constexpr std::uint32_t kKeys = 3 * cuda::kSparseRound * cuda::kMostSparseChunks / 2 + 77;
  static_assert(cuda::sparseChunkBuckets(kKeys) == 2 * cuda::kSparseRound);
  PlanSpec plan = makePlan(kKeys, 1, true, 0);
  plan.info.maxViewCount = 1;
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (const std::uint32_t meshCount : {kKeys, 3 * cuda::kSparseRound + 1}) {
    FrameSpec frame =
        builder.makeFrame(index, makeKeyed(plan, kMost, [&](std::uint32_t i) {
                            return i < kMost / 2 ? random.below(kKeys) : random.below(4 * cuda::kSparseRound);
                          }));
    frame.meshCount = meshCount;
    frame.liveMeshCount = {};
    builder.addFrame(frame);
  }
  ASSERT_TRUE(agrees(*machine, builder.finish()));
}

TEST_F(SimtSparse, LodsAndMirroredRecords) {
  for (const bool draws : {false, true}) {
    PlanSpec plan = makePlan(3000, 3, draws, random.pick({0u, 500u}));
    addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, 0, kMatrixForms[random.below(std::size(kMatrixForms))]);
    plan.info.flags |= SLU_PLAN_SPLIT_MIRRORED_BIT;
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (int i = 0; i < 3; ++i) {
      const Input input = makeKeyed(plan, kMost, [&](std::uint32_t) { return random.below(3000); });
      builder.addFrame(builder.makeFrame(index, input, 3));
    }
    ASSERT_TRUE(agrees(*machine, builder.finish())) << describe(plan);
  }
}

// What is kept has no gaps, so that streams see one bucket.
TEST_F(SimtSparse, FurtherStreams) {
  PlanSpec plan = makePlan(5000, 1, false, random.pick({0u, 900u}));
  plan.info.outputs = random.pick({0u, SluFlags{SLU_OUTPUT_INDICES_BIT}});
  addStream(plan, 12, 16, 12);
  addStream(plan, 64);
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (int i = 0; i < 2; ++i) {
    builder.addFrame(
        builder.makeFrame(index, makeKeyed(plan, kMost, [&](std::uint32_t) { return random.below(5001); }), 3));
  }
  ASSERT_TRUE(agrees(*machine, builder.finish()));
}

// A plan that writes nothing for each kept record has no list.
TEST_F(SimtSparse, DrawsAlone) {
  PlanSpec plan = makePlan(5000, 1, true, 0);
  plan.info.outputs = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (int i = 0; i < 2; ++i) {
    builder.addFrame(
        builder.makeFrame(index, makeKeyed(plan, kMost, [&](std::uint32_t) { return random.below(5001); }), 3));
  }
  ASSERT_TRUE(agrees(*machine, builder.finish()));
}

}  // namespace
}  // namespace slu::test
