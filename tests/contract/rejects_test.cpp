// Lists of rejects: which records a frame does not keep, for which reasons.
#include <algorithm>
#include <bit>
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

constexpr SluFlags kLists = SLU_OUTPUT_REJECTS_BIT | SLU_OUTPUT_REJECT_COUNTS_BIT;

// Records that any test may reject: a live field, keys of meshes some of which have no LOD, layers, cones, and spheres that
// move and that the two phases test.
PlanSpec makePlanOfAllReasons(SluOrder order, std::uint32_t maxRecordCount, Random& random) {
  PlanSpec plan = simplePlan(order, 80, maxRecordCount);
  plan.info.maxViewCount = 3;
  addCulling(plan, SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_IN_RECORD, 8);
  addCones(plan, 64);
  addTransform(plan, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT, 24);
  addLayers(plan, 60, false);
  addOcclusion(plan, 4);
  addBuckets(plan, 6, 3, maxRecordCount / 20, 4);
  plan.info.key.bits = 3;
  addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
  addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT, SLU_LOD_MESH_DISTANCES);
  return plan;
}

template <typename T>
T elementOf(const std::vector<Bytes>& memories, const Place& place, std::uint64_t index) {
  T element;
  std::memcpy(&element, &memories[place.memory][place.offset + index * sizeof(T)], sizeof(T));
  return element;
}

// Views that show a few layers, and reject some records by their size.
void setViews(FrameSpec& frame, Random& random) {
  for (SluView& view : frame.views) {
    view.layerMask = 1u << random.below(32) | 1u << random.below(32);
    view.minSizeRatio = 0.02f;
  }
}

// A frame of the plan, whose outputs are in memories on return. If there are meshes, the first one has no LOD.
FrameSpec runFrame(Machine& machine, const PlanSpec& plan, std::uint32_t count, Random& random,
                   std::vector<Bytes>& memories) {
  SceneBuilder builder(random);
  FrameSpec frame =
      builder.makeFrame(builder.addPlan(plan), makeInput(plan, count, Pattern::half, random), plan.info.maxViewCount);
  setViews(frame, random);
  if (plan.hasMeshes()) {
    frame.meshCount = plan.keyCount();
    frame.liveMeshCount = {};
  }
  builder.addFrame(frame);
  Scene scene = builder.finish();
  if (plan.hasMeshes()) {
    Bytes& table = scene.memories[frame.meshes.memory];
    std::memset(&table[frame.meshes.offset + plan.info.meshes.lodMaskOffset], 0, 4);
  }
  memories = scene.memories;
  EXPECT_TRUE(Trial(machine, scene).run(memories)) << describe(plan);
  return frame;
}

// Each reason alone lists as many records as the statistics count for it. Some views reject none for a reason, so that a few
// plans are tried.
TEST_P(Contract, RejectsOfEachReason) {
  constexpr std::uint32_t kInputs = 4000;
  const SluOrder order = nextOrder();
  for (std::uint32_t reason = 0; reason < SLU_REJECT_COUNT; ++reason) {
    bool isFound = false;
    for (int attempt = 0; attempt < 20 && !isFound; ++attempt) {
      PlanSpec plan = makePlanOfAllReasons(order, kInputs, random);
      addRejects(plan, 1u << reason, 0);
      std::vector<Bytes> memories;
      const FrameSpec frame = runFrame(machine(), plan, kInputs, random, memories);
      for (std::uint32_t view = 0; view < frame.viewCount; ++view) {
        const auto statistics = elementOf<SluStatistics>(memories, frame.statistics, view);
        const auto listed = elementOf<SluBucketCount>(memories, frame.rejectCounts, view);
        EXPECT_EQ(listed.demandedCount, statistics.rejectedCount[reason]) << "reason " << reason;
        EXPECT_EQ(listed.keptCount, listed.demandedCount) << "reason " << reason;
        isFound |= listed.demandedCount != 0;
      }
    }
    EXPECT_TRUE(isFound) << "reason " << reason << " has rejected nothing";
  }
}

// All of them together, in words or by 0, and any set of them.
TEST_P(Contract, RejectsOfSeveralReasons) {
  constexpr std::uint32_t kInputs = 4000, kAll = (1u << SLU_REJECT_COUNT) - 1;
  for (const SluFlags reasons : {SluFlags{0}, SluFlags{kAll}, SluFlags{random.between(1, kAll)}}) {
    PlanSpec plan = makePlanOfAllReasons(nextOrder(), kInputs, random);
    addRejects(plan, reasons, 0);
    std::vector<Bytes> memories;
    const FrameSpec frame = runFrame(machine(), plan, kInputs, random, memories);
    for (std::uint32_t view = 0; view < frame.viewCount; ++view) {
      const auto statistics = elementOf<SluStatistics>(memories, frame.statistics, view);
      const std::uint32_t listed = elementOf<SluBucketCount>(memories, frame.rejectCounts, view).demandedCount;
      EXPECT_LE(listed + statistics.demandedCount, kInputs);
      EXPECT_TRUE((reasons != 0 && reasons != kAll) || listed + statistics.demandedCount == kInputs);
    }
  }
}

// The same plans without statistics, for which nothing else asks why a record is rejected.
TEST_P(Contract, RejectsWithoutStatistics) {
  constexpr std::uint32_t kInputs = 3000;
  for (const bool hasMeshes : {false, true}) {
    PlanSpec plan = makePlanOfAllReasons(nextOrder(), kInputs, random);
    if (!hasMeshes) {
      plan = simplePlan(nextOrder(), 32, kInputs);
      plan.info.live = {};
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0);
      addBuckets(plan, 5, 1, kInputs, 4);
      plan.info.key.bits = 3;
    }
    plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
    addRejects(plan, 1u << SLU_REJECT_KEY, 0);
    std::vector<Bytes> memories;
    const FrameSpec frame = runFrame(machine(), plan, kInputs, random, memories);
    EXPECT_GT(elementOf<SluBucketCount>(memories, frame.rejectCounts, 0).demandedCount, 0u);
  }
}

TEST_P(Contract, RejectsAtTheEdgesOfTiles) {
  for (const SluOrder order : kOrders) {
    for (const SluFlags outputs : {kLists, kLists | SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT}) {
      PlanSpec plan = simplePlan(order, 8, 70'000);
      plan.info.outputs = 0;
      addRejects(plan, 0, 0, outputs);
      const std::uint32_t tile = tileOf(plan);
      for (const std::uint32_t count : {0u, 1u, tile - 1, tile, tile + 1, 3 * tile + 7}) {
        const Pattern pattern = random.pick({Pattern::none, Pattern::half, Pattern::clustered, Pattern::last});
        ASSERT_TRUE(agreesOn(plan, count, pattern)) << count << " records";
      }
    }
  }
}

// So many that stable frames take tiles by ticket on some routes: tests of a word, of flags, and of boxes.
TEST_P(Contract, RejectsOfManyRecords) {
  constexpr std::uint32_t kMost = 1u << 21, kInputs = 300'000;
  for (const SluOrder order : kOrders) {
    for (const int kind : {0, 1, 2}) {
      PlanSpec plan = simplePlan(order, 4, kMost);
      plan.info.outputs = SLU_OUTPUT_STATISTICS_BIT;
      if (kind == 1) plan.info.live = {SLU_LIVE_FLAG_BITS, 0, 0};
      if (kind == 2) {
        plan.info.live = {};
        addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0, SLU_SHAPE_BOX);
      }
      addRejects(plan, 0, kInputs);
      ASSERT_TRUE(agreesOn(plan, kInputs - random.below(1000), Pattern::half)) << describe(plan);
    }
  }
}

// A third of the records is dead. The flag of an earlier frame stays, and so does that of the outputs.
TEST_P(Contract, RejectsBeyondTheCapacity) {
  constexpr std::uint32_t kInputs = 3000, kDead = kInputs / 3;
  std::vector<std::uint8_t> live(kInputs);
  for (std::uint32_t i = 0; i < kInputs; ++i) live[i] = i % 3 == 0 ? 0 : 1;
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t capacity : {1u, kDead / 2, kDead - 1, kDead, kDead + 1}) {
      PlanSpec plan = simplePlan(order, 8, kInputs);
      plan.buckets.assign(1, SluBucket{random.pick({0u, 10u, kInputs}), {}});
      addRejects(plan, random.pick({0u, 1u << SLU_REJECT_NOT_LIVE}), capacity);
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, live, random));
      builder.addFrame(frame);
      Scene scene = builder.finish();
      Bytes& outputs = scene.memories[frame.statistics.memory];
      std::memset(&outputs[frame.statistics.offset], 0, sizeof(SluStatistics));
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(Trial(machine(), scene).run(memories, 2)) << describe(plan);
      const auto statistics = elementOf<SluStatistics>(memories, frame.statistics, 0);
      const bool isExceeded = capacity < kDead;
      EXPECT_EQ((statistics.overflow & SLU_OVERFLOW_REJECTS_BIT) != 0, isExceeded);
      EXPECT_EQ((statistics.overflow & SLU_OVERFLOW_CAPACITY_BIT) != 0, plan.capacity(0) < kInputs - kDead);
      const auto listed = elementOf<SluBucketCount>(memories, frame.rejectCounts, 0);
      EXPECT_EQ(listed.demandedCount, kDead);
      EXPECT_EQ(listed.keptCount, std::min(capacity, kDead));
    }
  }
}

// A record that finds no room is no reject.
TEST_P(Contract, RejectsAreNotWhatFindsNoRoom) {
  constexpr std::uint32_t kInputs = 2000;
  PlanSpec plan = simplePlan(nextOrder(), 8, kInputs);
  plan.buckets.assign(1, SluBucket{5, {}});
  addRejects(plan, 0, 0);
  SceneBuilder builder(random);
  const FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kInputs, Pattern::all, random));
  builder.addFrame(frame);
  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  ASSERT_TRUE(Trial(machine(), scene).run(memories));
  EXPECT_EQ(elementOf<SluStatistics>(memories, frame.statistics, 0).keptCount, 5u);
  EXPECT_EQ(elementOf<SluBucketCount>(memories, frame.rejectCounts, 0).demandedCount, 0u);
}

// Each output of the list alone; with states of LODs, which such a plan writes, too.
TEST_P(Contract, RejectsAlone) {
  constexpr std::uint32_t kInputs = 3000;
  for (const SluFlags outputs : {kLists, SluFlags{SLU_OUTPUT_REJECTS_BIT}, SluFlags{SLU_OUTPUT_REJECT_COUNTS_BIT}}) {
    for (const bool keepsStates : {false, true}) {
      PlanSpec plan = simplePlan(nextOrder(), 32, kInputs);
      plan.info.maxViewCount = 2;
      addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 8);
      addBuckets(plan, 3, 3, kInputs, 4);
      plan.info.key.bits = 2;
      if (keepsStates) plan.info.lod.flags = SLU_LOD_STATES_BIT;
      plan.info.outputs = 0;
      addRejects(plan, random.pick({0u, 1u << SLU_REJECT_FRUSTUM}), 1000, outputs);
      ASSERT_TRUE(agreesOn(plan, kInputs, Pattern::half, 2)) << describe(plan);
    }
  }
}

// The list does not depend on where records are kept, nor on what else is written for them.
TEST_P(Contract, RejectsInEveryPlacement) {
  constexpr std::uint32_t kInputs = 3000;
  for (const SluPlacement placement : {SLU_PLACEMENT_RESERVED, SLU_PLACEMENT_PACKED, SLU_PLACEMENT_MERGED}) {
    for (const bool hasMore : {false, true}) {  // groups, or further streams
      PlanSpec plan = makePlanOfAllReasons(nextOrder(), kInputs, random);
      if (placement == SLU_PLACEMENT_PACKED) packBuckets(plan, kInputs / 3);
      if (placement == SLU_PLACEMENT_MERGED) mergePlan(plan, kInputs / 3, 3);
      if (hasMore && placement != SLU_PLACEMENT_MERGED) addGroups(plan, 4, 0, random);
      if (hasMore && placement != SLU_PLACEMENT_PACKED) addRandomStreams(plan, 2, random);
      addRejects(plan, random.pick({0u, 0xf0u}), random.pick({0u, 700u}));
      ASSERT_TRUE(agreesOn(plan, kInputs, Pattern::half, 3)) << describe(plan);
    }
  }
}

// What is kept is written over the records, which the list has read before.
TEST_P(Contract, RejectsInPlace) {
  constexpr std::uint32_t kInputs = 5000;
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t keyCount : {1u, 5u}) {
      PlanSpec plan = simplePlan(order, 16, kInputs);
      plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
      addBuckets(plan, keyCount, 1, kInputs / keyCount, 4);
      plan.info.key.bits = keyCount > 1 ? 3 : 0;
      addRejects(plan, 0, random.pick({0u, 600u}));
      SceneBuilder builder(random);
      FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kInputs, Pattern::half, random));
      frame.keptRecords = frame.records;
      builder.addFrame(frame);
      ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
    }
  }
}

// Records behind the live count are none, and so no rejects.
TEST_P(Contract, RejectsOfALiveCount) {
  constexpr std::uint32_t kInputs = 3000;
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 8, kInputs);
    addRejects(plan, 0, 0);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t liveCount : {0u, 1u, random.below(kInputs), kInputs, kInputs + 1, 0xffffffffu}) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, kInputs, Pattern::none, random));
      frame.liveCount = builder.addWord(liveCount);
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
  }
}

// Frames leave the plan's counters as they found them, those of more views and of fewer.
TEST_P(Contract, RejectsOfFramesInTurn) {
  constexpr std::uint32_t kInputs = 3000;
  for (const SluOrder order : kOrders) {
    PlanSpec plan = makePlanOfAllReasons(order, kInputs, random);
    addRejects(plan, 0, 1000);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t viewCount : {3u, 1u, 2u}) {
      FrameSpec frame =
          builder.makeFrame(index, makeInput(plan, random.between(1, kInputs), Pattern::half, random), viewCount);
      setViews(frame, random);
      builder.addFrame(frame);
    }
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories, 3)) << describe(plan);
  }
}

}  // namespace
}  // namespace slu::test
