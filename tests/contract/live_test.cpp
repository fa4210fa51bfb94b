// Every live test, and every way to find and transform bounds.
#include <utility>

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

// Zeros are live where the value is 0, so that what kernels take for the records beyond the last one must not count.
// Records alone take the kernels that read each record once; with indices they are tested and read again.
TEST_P(Contract, EveryMaskedField) {
  for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 20u, 32u, 48u, 64u, 96u}) {
    for (const SluFlags outputs : {SluFlags{SLU_OUTPUT_RECORDS_BIT}, SluFlags{SLU_OUTPUT_INDICES_BIT}}) {
      PlanSpec plan = simplePlan(nextOrder(), stride, 5000);
      plan.info.live = {SLU_LIVE_MASK_EQUAL, random.below(stride / 4) * 4, 0};
      plan.info.outputs = outputs;
      setMask(plan, random);
      if (random.chance(0.5)) plan.info.liveValue = 0;
      ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
    }
  }
}

// In plans for many records, and into buckets, which take kernels of their own.
TEST_P(Contract, MasksInLargePlans) {
  const SluOrder order = nextOrder();
  for (PlanSpec plan : plansOfEveryKernel(order, random)) {
    const bool isFirst = plan.info.recordStride != 32 || plan.info.cullFlags == 0;
    if (plan.info.live.test != SLU_LIVE_NON_EMPTY || !isFirst) continue;
    plan.info.live = {SLU_LIVE_MASK_EQUAL, 0, 0};
    setMask(plan, random);
    plan.info.liveValue = 0;
    ASSERT_TRUE(agreesOn(plan, random.between(8193, 12'000), Pattern::half));
  }
}

TEST_P(Contract, EveryPairOfLiveTests) {
  for (const SluLiveTest flags : {SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS}) {
    for (const SluLiveTest test : {SLU_LIVE_NON_EMPTY, SLU_LIVE_POSITIVE_FLOAT, SLU_LIVE_MASK_EQUAL}) {
      PlanSpec plan = simplePlan(nextOrder(), random.pick({4u, 12u, 16u, 64u}), 5000);
      plan.info.live = {test, 0, test == SLU_LIVE_NON_EMPTY ? plan.info.recordStride : 0};
      plan.info.secondLive = {flags, 0, 0};
      if (test == SLU_LIVE_MASK_EQUAL) setMask(plan, random);
      if (random.chance(0.5)) std::swap(plan.info.live, plan.info.secondLive);
      ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
      plan.info.outputs = SLU_OUTPUT_RECORDS_BIT;  // which the record alone would decide
      ASSERT_TRUE(agreesOnOddCounts(machine(), plan, random));
    }
  }
}

// What comes after the tests: keys, spheres, and the kernels for which spheres decide alone.
TEST_P(Contract, PairsOfLiveTestsWithKeysAndCulling) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t keyCount : {1u, 20u}) {
      PlanSpec plan = simplePlan(order, 48, 4000);
      plan.info.live = {SLU_LIVE_MASK_EQUAL, 0, 0};
      plan.info.secondLive = {SLU_LIVE_FLAG_BITS, 0, 0};
      setMask(plan, random);
      addBuckets(plan, keyCount, 1, 4000, 4);
      plan.info.key.bits = keyCount > 1 ? 5 : 0;
      ASSERT_TRUE(agreesOn(plan, random.between(3000, 4000), Pattern::half));
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 16);
      plan.info.maxViewCount = 2;
      ASSERT_TRUE(agreesOn(plan, random.between(3000, 4000), Pattern::half, 2));
      plan.info.live = {};
      plan.info.secondLive = {};
      plan.info.liveMask = plan.info.liveValue = 0;
      plan.info.live.test = SLU_LIVE_FLAG_BYTES;
      plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
      ASSERT_TRUE(agreesOn(plan, random.between(3000, 4000), Pattern::half, 2));
    }
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
  for (const SluBoundsSource source : {SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY}) {
    for (SluFlags transform = 0; transform < 8; ++transform) {
      if (!takes(0.4)) continue;
      PlanSpec plan = simplePlan(nextOrder(), 64, 3000);
      addCulling(plan, 1 + turn++ % 7, source, 8);
      addTransform(plan, transform, 32);
      if (source == SLU_BOUNDS_PER_KEY) {
        addBuckets(plan, 20, 1, 3000, 4);
        plan.info.key.bits = 5;
      }
      ASSERT_TRUE(agreesOn(plan, random.between(2000, 3000), Pattern::half));
    }
  }
}

// Bounds, and what moves them.
struct Moved {
  SluBoundsShape shape;
  SluBoundsSource source;
  SluFlags transform;
  SluMatrixForm form;
  bool isStream;  // of transforms
};

// In random order.
std::vector<Moved> everyMoved(Random& random) {
  std::vector<Moved> all;
  for (const SluBoundsShape shape : kShapes) {
    for (const SluBoundsSource source :
         {SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY, SLU_BOUNDS_CONSTANT}) {
      for (const SluFlags transform : everyTransform()) {
        const std::size_t formCount = transform == SLU_TRANSFORM_MATRIX_BIT ? std::size(kMatrixForms) : 1;
        for (std::size_t form = 0; form < formCount; ++form) {
          all.push_back({shape, source, transform, kMatrixForms[form], false});
          if (transform != 0) all.push_back({shape, source, transform, kMatrixForms[form], true});
        }
      }
    }
  }
  for (std::uint32_t i = static_cast<std::uint32_t>(all.size()); i > 1; --i)
    std::swap(all[i - 1], all[random.below(i)]);
  return all;
}

// The Vulkan route compiles pipelines for each plan, which takes a CPU driver up to a second: there it is a few plans.
TEST_P(Contract, EveryShapeAndTransform) {
  constexpr std::uint32_t kBounds = 4, kTransform = kBounds + 32, kMost = 700;
  constexpr std::size_t kFew = 8;
  std::vector<Moved> all = everyMoved(random);
  if (machine().route() == SLU_ROUTE_VULKAN) all.resize(kFew);
  std::uint32_t turn = random.below(7);
  for (const Moved& moved : all) {
    const std::uint32_t viewCount = 1 + turn % 2;
    PlanSpec plan = simplePlan(nextOrder(), kTransform + kMostTransformBytes, kMost);
    plan.info.maxViewCount = viewCount;
    addCulling(plan, 1 + turn++ % 7, moved.source, kBounds, moved.shape);
    if (moved.isStream) {
      addTransformStream(plan, moved.transform, random.below(3) * 4, moved.form);
    } else {
      addTransform(plan, moved.transform, kTransform, moved.form);
    }
    if (moved.source == SLU_BOUNDS_PER_KEY) {
      plan.info.live = {};
      addBuckets(plan, 20, 1, kMost, 0);
      plan.info.key.bits = 5;
    }
    ASSERT_TRUE(agreesOn(plan, random.between(kMost / 2, kMost), Pattern::half, viewCount));
  }
}

TEST_P(Contract, EveryCombinationOfCullFlags) {
  for (SluFlags flags = 1; flags < 8; ++flags) {
    PlanSpec plan = simplePlan(nextOrder(), 32, 4000);
    plan.info.maxViewCount = 3;
    addCulling(plan, flags, SLU_BOUNDS_IN_RECORD, 16);
    ASSERT_TRUE(agreesOn(plan, random.between(3000, 4000), Pattern::half, 3));
  }
}

}  // namespace
}  // namespace slu::test
