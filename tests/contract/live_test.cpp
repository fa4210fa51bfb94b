// Every live test, and every way to find and transform bounds.
#include "contract.h"

namespace slu::test {
namespace {

// Counts around whole words of bits and bytes, each as a frame of one scene.
testing::AssertionResult agreesOnOddCounts(Machine& machine, const PlanSpec& plan, Random& random) {
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (const std::uint32_t count : {1u, 3u, 4u, 5u, 31u, 32u, 33u, 63u, 64u, 65u, 127u, 129u, 1021u, 4093u}) {
    builder.addFrame(builder.makeFrame(index, makeInput(plan, count, Pattern::half, random)));
  }
  testing::AssertionResult result = agrees(machine, builder.finish());
  if (!result) result << "; " << describe(plan);
  return result;
}

TEST_P(Contract, EveryNonEmptyRange) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 12u, 16u, 32u, 256u}) {
      std::vector<SluLive> ranges = {{SLU_LIVE_NON_EMPTY, 0, 4}, {SLU_LIVE_NON_EMPTY, 0, stride}};
      if (stride > 4) ranges.push_back({SLU_LIVE_NON_EMPTY, stride - 4, 4});
      if (stride > 8) ranges.push_back({SLU_LIVE_NON_EMPTY, 4, stride - 8});
      for (const SluLive& range : ranges) {
        PlanSpec plan = simplePlan(order, stride, 5000);
        plan.info.live = range;
        ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
      }
    }
  }
}

TEST_P(Contract, EveryPositiveField) {
  for (const SluLiveTest test : {SLU_LIVE_POSITIVE_INT, SLU_LIVE_POSITIVE_FLOAT}) {
    for (const std::uint32_t stride : {4u, 16u, 20u}) {
      for (std::uint32_t offset = 0; offset < stride; offset += 12) {
        PlanSpec plan = simplePlan(nextOrder(), stride, 5000);
        plan.info.live = {test, offset, 0};
        ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
      }
    }
  }
}

TEST_P(Contract, EveryFlagStream) {
  for (const SluLiveTest test : {SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS}) {
    PlanSpec plan = simplePlan(nextOrder(), 20, 5000);
    plan.info.live = {test, 0, 0};
    ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT;  // then there are no records at all
    ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
  }
}

TEST_P(Contract, AlwaysLive) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 5000);
    plan.info.live = {};
    ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
    ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
  }
}

// Each sphere source with each transform; the cull flags take turns, so that each combination meets many of them.
TEST_P(Contract, EverySphereSourceAndTransform) {
  std::uint32_t turn = 0;
  for (const SluSphereSource source : {SLU_SPHERE_IN_RECORD, SLU_SPHERE_PER_RECORD, SLU_SPHERE_PER_KEY}) {
    for (SluFlags transform = 0; transform < 8; ++transform) {
      PlanSpec plan = simplePlan(nextOrder(), 64, 3000);
      addCulling(plan, 1 + turn++ % 7, source, 8);
      addTransform(plan, transform, 32);
      if (source == SLU_SPHERE_PER_KEY) {
        addBuckets(plan, 20, 1, 3000, 4);
        plan.info.key.bits = 5;
      }
      ASSERT_TRUE(agreesOn(plan, random.between(2000, 3000), Pattern::half));
    }
  }
}

TEST_P(Contract, EveryCombinationOfCullFlags) {
  for (SluFlags flags = 1; flags < 8; ++flags) {
    PlanSpec plan = simplePlan(nextOrder(), 32, 4000);
    plan.info.maxViewCount = 3;
    addCulling(plan, flags, SLU_SPHERE_IN_RECORD, 16);
    ASSERT_TRUE(agreesOn(plan, random.between(3000, 4000), Pattern::half, 3));
  }
}

}  // namespace
}  // namespace slu::test
