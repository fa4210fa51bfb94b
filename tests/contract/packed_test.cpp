// Packed buckets: where they begin depends on what the frame keeps in the buckets before them.
#include <algorithm>
#include <bit>
#include <cstring>

#include "contract.h"
#include "oracle.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kBucketCounts[] = {2, 3, 64, 300, 4096};

// Records of 8 bytes, of which the second word is the key. Some keys are out of range.
PlanSpec makeKeyedPlan(SluOrder order, std::uint32_t bucketCount, std::uint32_t maxRecordCount) {
  PlanSpec plan = simplePlan(order, 8, maxRecordCount);
  addBuckets(plan, bucketCount, 1, 0, 4);
  plan.info.key.bits = static_cast<std::uint32_t>(std::bit_width(bucketCount));
  return plan;
}

// Spheres that move, in several keys, LODs and views.
PlanSpec makeViewsPlan(SluOrder order, std::uint32_t keyCount, std::uint32_t lodCount, std::uint32_t maxRecordCount) {
  PlanSpec plan = simplePlan(order, 64, maxRecordCount);
  plan.info.maxViewCount = 3;
  addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8);
  addTransform(plan, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT, 32);
  addBuckets(plan, keyCount, lodCount, 0, 4);
  plan.info.key.bits = keyCount > 1 ? static_cast<std::uint32_t>(std::bit_width(keyCount)) : 0;
  return plan;
}

std::uint32_t wordOf(const std::vector<Bytes>& memories, const Place& place, std::uint64_t index) {
  std::uint32_t word;
  std::memcpy(&word, &memories[place.memory][place.offset + index * 4], sizeof(word));
  return word;
}

TEST_P(Contract, PackedBucketsOfEveryNumber) {
  for (const std::uint32_t bucketCount : kBucketCounts) {
    PlanSpec plan = makeKeyedPlan(nextOrder(), bucketCount, 20'000);
    addDraws(plan, SLU_DRAW_INSTANCES, 16, random.pick({SluFlags{0}, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}}), random);
    for (const std::uint32_t capacity : {0u, 1u, 5000u}) {  // all, one, and a cut in the middle of a bucket
      packBuckets(plan, capacity);
      ASSERT_TRUE(agreesOn(plan, random.between(15'000, 20'000), Pattern::half));
    }
    ASSERT_TRUE(agreesOn(plan, 100, Pattern::half));
  }
}

TEST_P(Contract, PackedBucketsAtTheEdgesOfTiles) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = makeKeyedPlan(order, 5, 70'000);
    packBuckets(plan, 0);
    const std::uint32_t tile = tileOf(plan);
    for (const std::uint32_t count : {0u, 1u, tile - 1, tile, tile + 1, 3 * tile + 7}) {
      ASSERT_TRUE(agreesOn(plan, count, random.pick({Pattern::all, Pattern::half, Pattern::clustered})));
    }
  }
}

// The capacity ends within each of the buckets, and between two of them.
TEST_P(Contract, PackedBucketsAreCutAtTheCapacity) {
  constexpr std::uint32_t kBuckets = 4, kPerBucket = 300;
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 8, kBuckets * kPerBucket);
    plan.info.live = {};
    addBuckets(plan, kBuckets, 1, 0, 4);
    Input input;
    input.count = kBuckets * kPerBucket;
    for (std::uint32_t i = 0; i < input.count; ++i) {
      const std::uint32_t record[2] = {i, i % kBuckets};
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(record);
      input.records.insert(input.records.end(), bytes, bytes + sizeof(record));
    }
    for (const std::uint32_t capacity : {1u, 299u, 300u, 301u, 899u, 900u, 901u, 1199u, 1200u, 1201u}) {
      packBuckets(plan, capacity);
      SceneBuilder builder(random);
      const FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
      builder.addFrame(frame);
      const Scene scene = builder.finish();
      std::vector<Bytes> memories = scene.memories;
      const std::uint32_t before = wordOf(memories, frame.statistics, 4);
      ASSERT_TRUE(Trial(machine(), scene).run(memories)) << "; " << describe(plan);
      std::uint32_t room = capacity;
      for (std::uint32_t bucket = 0; bucket < kBuckets; ++bucket) {
        const std::uint32_t kept = std::min(room, kPerBucket);
        ASSERT_EQ(wordOf(memories, frame.bucketCounts, 2 * bucket), kPerBucket) << "capacity " << capacity;
        ASSERT_EQ(wordOf(memories, frame.bucketCounts, 2 * bucket + 1), kept) << "capacity " << capacity;
        room -= kept;
      }
      const std::uint32_t overflow = capacity < input.count ? SLU_OVERFLOW_CAPACITY_BIT : 0;
      EXPECT_EQ(wordOf(memories, frame.statistics, 4), before | overflow) << "capacity " << capacity;
    }
  }
}

TEST_P(Contract, PackedBucketsOfEveryOutput) {
  for (SluFlags outputs = 1; outputs <= kAllOutputs; ++outputs) {
    if (machine().route() != SLU_ROUTE_CPU && !random.samples(0.2)) continue;  // each may compile kernels
    PlanSpec plan = makeKeyedPlan(nextOrder(), 6, 3000);
    const bool draws = (outputs & (SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) != 0;
    if (draws) {
      addDraws(plan, random.pick({SLU_DRAW_INSTANCES, SLU_DRAW_VERTICES, SLU_DRAW_INDEXED_INSTANCES}), 24,
               random.below(2), random);
    }
    plan.info.outputs = outputs;
    packBuckets(plan, random.pick({0u, 700u}));
    ASSERT_TRUE(agreesOn(plan, random.pick({0u, 3000u}), Pattern::half));
  }
}

// Every command and every word in front of it, with empty buckets among the others.
TEST_P(Contract, DrawsOfPackedBuckets) {
  for (const SluDrawType type : {SLU_DRAW_INSTANCES, SLU_DRAW_VERTICES, SLU_DRAW_INDEXED_INSTANCES}) {
    for (const SluFlags front : {SluFlags{0}, SluFlags{SLU_DRAWS_FIRST_IN_FRONT_BIT},
                                 SluFlags{SLU_DRAWS_BUCKET_IN_FRONT_BIT}, SluFlags{SLU_DRAWS_NUMBER_IN_FRONT_BIT}}) {
      PlanSpec plan = makeViewsPlan(SLU_ORDER_STABLE, 40, 1, 3000);
      plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
      addDraws(plan, type, 32, front | random.below(2), random);
      packBuckets(plan, random.pick({0u, 500u}));
      ASSERT_TRUE(agreesOn(plan, random.pick({30u, 3000u}), Pattern::half, 3));
    }
  }
}

TEST_P(Contract, PackedBucketsOfViewsAndLods) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t keyCount : {1u, 20u}) {
      PlanSpec plan = makeViewsPlan(order, keyCount, 4, 6000);
      plan.info.flags |= keyCount > 1 ? SLU_PLAN_IN_PLACE_BIT : 0;
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
      for (const std::uint32_t capacity : {0u, 900u}) {
        packBuckets(plan, capacity);
        ASSERT_TRUE(agreesOn(plan, random.between(5000, 6000), Pattern::all, 3));
        ASSERT_TRUE(agreesOn(plan, random.between(1, 999), Pattern::all, 1));
      }
    }
  }
}

// Buckets that the table's meshes have, which the plan does not describe; and what splits them further.
TEST_P(Contract, PackedBucketsOfMeshes) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 72, 4000);
    plan.info.maxViewCount = 3;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 8);
    addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 24);
    addBuckets(plan, 30, 3, 0, 4);
    plan.info.key.bits = 5;
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, random.below(2), random);
    splitMirrored(plan);
    addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT, SLU_LOD_MESH_ERRORS,
              SLU_LOD_STATES_BIT);
    packBuckets(plan, random.pick({0u, 600u}));
    ASSERT_TRUE(plan.buckets.empty());
    ASSERT_EQ(plan.bucketCount(), 180u);
    ASSERT_TRUE(agreesOn(plan, 4000, Pattern::all, 3));
  }
}

// The buckets of a frame begin elsewhere than those of the frame before, and a live count ends each frame early.
TEST_P(Contract, PackedBucketsFromFrameToFrame) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = makeKeyedPlan(order, 9, 9000);
    addDraws(plan, SLU_DRAW_VERTICES, 16, 0, random);
    packBuckets(plan, 2000);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t count : {9000u, 10u, 0u, 5000u, 9000u}) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, count, Pattern::half, random));
      frame.liveCount = builder.addWord(random.pick({0u, count / 2, count, count + 1}));
      builder.addFrame(frame);
    }
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories, 2)) << "; " << describe(plan);
  }
}

// A plan with one bucket has nothing to pack.
TEST_P(Contract, ASinglePackedBucket) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 5000);
    packBuckets(plan, random.pick({0u, 1u, 700u}));
    ASSERT_TRUE(agreesOn(plan, 5000, Pattern::half));
    plan.buckets.assign(1, SluBucket{});
    addDraws(plan, SLU_DRAW_INSTANCES, 16, 0, random);
    ASSERT_TRUE(agreesOn(plan, 5000, Pattern::half));
  }
}

// The most buckets, with room for the most views.
TEST_P(Contract, MostPackedBuckets) {
  PlanSpec plan = simplePlan(nextOrder(), 24, 20'000);
  plan.info.maxViewCount = SLU_MAX_VIEWS;
  addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 8);
  addBuckets(plan, SLU_MAX_BUCKETS / SLU_MAX_LODS, SLU_MAX_LODS, 0, 4);
  plan.info.key.bits = 9;
  plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  packBuckets(plan, 8000);
  ASSERT_TRUE(agreesOn(plan, 20'000, Pattern::all, 3));
}

}  // namespace
}  // namespace slu::test
