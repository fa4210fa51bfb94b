// Keys, LODs, buckets, capacities and views.
#include <algorithm>

#include "contract.h"
#include "oracle.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kBucketCounts[] = {1, 2, 7, 64, 1000, 4096};

// The fewest bits that hold every key, so that some keys are out of range unless keyCount is a power of two.
std::uint32_t bitsFor(std::uint32_t keyCount) {
  std::uint32_t bits = 1;
  while ((std::uint64_t{1} << bits) < keyCount) ++bits;
  return bits;
}

TEST_P(Contract, EveryKindOfKey) {
  for (const SluOrder order : kOrders) {
    for (const auto& [shift, bits] :
         {std::pair{0u, 0u}, {0u, 32u}, {0u, 3u}, {5u, 3u}, {29u, 3u}, {31u, 1u}, {29u, 0u}, {8u, 8u}}) {
      for (const std::uint32_t keyCount : {2u, 5u, 8u}) {
        PlanSpec plan = simplePlan(order, 12, 2000);
        addBuckets(plan, keyCount, 1, 1500, 8);
        plan.info.key.shift = shift;
        plan.info.key.bits = bits;
        ASSERT_TRUE(agreesOn(plan, 2000, Pattern::half));
      }
    }
  }
}

TEST_P(Contract, EveryNumberOfLods) {
  for (std::uint32_t lodCount = 1; lodCount <= SLU_MAX_LODS; ++lodCount) {
    PlanSpec plan = simplePlan(nextOrder(), 32, 2000);
    plan.info.maxViewCount = 2;
    // No cull flags: bounds are then read for the LOD alone.
    addCulling(plan, lodCount % 2 == 0 ? 0 : SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16);
    addBuckets(plan, lodCount % 3 == 0 ? 4 : 1, lodCount, 700, 4);
    plan.info.key.bits = plan.keyCount() > 1 ? 2 : 0;
    ASSERT_TRUE(agreesOn(plan, 2000, Pattern::all, 2));
  }
}

// Without statistics, nobody asks which test a record failed first, so that a route may load its key after culling.
TEST_P(Contract, KeysAfterCulling) {
  struct Shape {
    std::uint32_t keyCount, lodCount;
    bool hasLiveTest;
  };
  for (const auto& [keyCount, lodCount, hasLiveTest] :
       {Shape{1, 1, false}, Shape{5, 1, false}, Shape{5, 3, false}, Shape{5, 1, true}}) {
    PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 64, 6000);
    if (!hasLiveTest) plan.info.live = {};
    plan.info.maxViewCount = 2;
    addCulling(plan, lodCount > 1 ? random.below(8) : random.between(1, 7),
               random.pick({SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD}), 16);
    addBuckets(plan, keyCount, lodCount, random.pick({40u, 6000u}), 4);
    plan.info.key.bits = keyCount > 1 ? 3 : 0;  // so that some are out of range
    plan.info.outputs = SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.info.outputs |= random.pick({SLU_OUTPUT_INDICES_BIT, SLU_OUTPUT_RECORDS_BIT});
    const SluOrder next = nextOrder();  // where pipelines are compiled, one of the two
    for (const SluOrder order : kOrders) {
      if (machine().route() == SLU_ROUTE_VULKAN && order != next) continue;
      plan.info.order = order;
      ASSERT_TRUE(agreesOn(plan, random.between(5000, 6000), Pattern::half, 2)) << describe(plan);
    }
  }
}

TEST_P(Contract, EveryNumberOfBuckets) {
  for (const std::uint32_t bucketCount : kBucketCounts) {
    PlanSpec plan = simplePlan(nextOrder(), 8, 20'000);
    addBuckets(plan, bucketCount, 1, 40'000 / bucketCount + 3, 4);
    plan.info.key.bits = bucketCount == 1 ? 0 : bitsFor(bucketCount);
    for (const SluFlags flags : {SluFlags{0}, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}}) {
      addDraws(plan, SLU_DRAW_INSTANCES, 16, flags, random);
      ASSERT_TRUE(agreesOn(plan, random.between(15'000, 20'000), Pattern::half));
      ASSERT_TRUE(agreesOn(plan, 100, Pattern::half));
    }
  }
}

TEST_P(Contract, MostBucketsInMostViews) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 24, 70'000);
    plan.info.maxViewCount = SLU_MAX_VIEWS;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 8);
    addBuckets(plan, SLU_MAX_BUCKETS / SLU_MAX_LODS, SLU_MAX_LODS, 3, 4);
    plan.info.key.bits = 9;
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    ASSERT_TRUE(agreesOn(plan, 70'000, Pattern::all, SLU_MAX_VIEWS));
    ASSERT_TRUE(agreesOn(plan, 999, Pattern::all, 2));
  }
}

// Neighbours that share a bucket, all in one bucket, and all in the last.
TEST_P(Contract, ClusteredKeys) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 10'000);
    plan.info.live = {};
    addBuckets(plan, 64, 1, 3000);
    for (const std::uint32_t run : {1u, 7u, 32u, 1000u, 10'000u}) {
      Input input = makeInput(plan, 10'000, Pattern::all, random);
      std::uint32_t key = 63;
      for (std::uint32_t i = 0; i < input.count; ++i) {
        if (i > 0 && i % run == 0) key = random.below(66);
        input.records[i * 4] = static_cast<std::uint8_t>(key);
        std::fill_n(&input.records[i * 4 + 1], 3, std::uint8_t{0});
      }
      ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 1, random))) << "; runs of " << run;
    }
  }
}

// Capacities of nothing, one less than is demanded, just that, and more.
TEST_P(Contract, CapacitiesBelowAtAndAboveDemand) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t keyCount : {1u, 12u}) {
      PlanSpec plan = simplePlan(order, 8, 6000);
      addBuckets(plan, keyCount, 1, 6000, 4);
      plan.info.key.bits = keyCount > 1 ? 4 : 0;
      const Input input = makeInput(plan, 6000, Pattern::half, random);
      const Scene probe = makeScene(plan, input, 1, random);
      const Demand demand = findDemand(plan, probe.frames[0], probe.memories);
      for (int round = 0; round < 6; ++round) {
        for (std::uint32_t bucket = 0; bucket < keyCount; ++bucket) {
          const auto demanded = static_cast<std::uint32_t>(demand.of(plan, 0, bucket).size());
          const std::uint32_t capacities[] = {0, 1, demanded / 2, demanded - 1, demanded, demanded + 1};
          plan.buckets[bucket].capacity = capacities[(bucket + static_cast<std::uint32_t>(round)) % 6];
        }
        addDraws(plan, SLU_DRAW_VERTICES, 16, static_cast<SluFlags>(round % 2), random);
        ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 1, random))) << "; " << describe(plan);
      }
    }
  }
}

// When nothing but records or nothing but counts is written, and buckets overflow.
TEST_P(Contract, OverflowWithoutIndices) {
  for (const SluOrder order : kOrders) {
    for (const SluFlags outputs : {SluFlags{SLU_OUTPUT_RECORDS_BIT}, SluFlags{SLU_OUTPUT_STATISTICS_BIT}}) {
      PlanSpec plan = simplePlan(order, 20, 4000);
      addBuckets(plan, 4, 1, 150, 16);
      plan.info.key.bits = 2;
      plan.info.outputs = outputs;
      ASSERT_TRUE(agreesOn(plan, 4000, Pattern::half));
    }
  }
}

TEST_P(Contract, EveryNumberOfViews) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t maxViews : {1u, 3u, SLU_MAX_VIEWS}) {
      PlanSpec plan = simplePlan(order, 32, 3000);
      plan.info.maxViewCount = maxViews;
      addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_IN_RECORD, 16);
      addBuckets(plan, 1, 3, 1000);
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, 0, random);
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (std::uint32_t views = 1; views <= maxViews; views += random.between(1, 3)) {
        const Input input = makeInput(plan, random.between(1, 3000), Pattern::half, random);
        FrameSpec frame = builder.makeFrame(index, input, views);
        frame.viewStride = views % 2 == 0 ? sizeof(SluView) + 20 : 0;
        builder.addFrame(frame);
      }
      ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
    }
  }
}

// Views of a plan that does not look through them are the same work over again.
TEST_P(Contract, ViewsWithoutCulling) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 3000);
    plan.info.maxViewCount = 4;
    ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half, 4));
  }
}

}  // namespace
}  // namespace slu::test
