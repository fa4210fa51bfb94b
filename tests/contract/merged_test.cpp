// One list for all buckets of a view, and a command for each kept record.
#include <algorithm>
#include <cstring>

#include "contract.h"
#include "floats.h"

namespace slu::test {
namespace {

constexpr SluFlags kFrontOfEach[] = {0, SLU_DRAWS_FIRST_IN_FRONT_BIT, SLU_DRAWS_BUCKET_IN_FRONT_BIT,
                                     SLU_DRAWS_NUMBER_IN_FRONT_BIT, SLU_DRAWS_RECORD_IN_FRONT_BIT};
constexpr SluFlags kCommands = SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;

// Records of a few keys with templates. The key is the second word.
PlanSpec makeTemplatePlan(SluOrder order, SluDrawType type, SluFlags front, std::uint32_t keyCount, Random& random) {
  PlanSpec plan = simplePlan(order, 16, 3000);
  plan.info.maxViewCount = 2;
  addBuckets(plan, keyCount, 1, 0, 4);
  plan.info.key.bits = keyCount > 1 ? 3 : 0;
  addDraws(plan, type, random.pick({24u, 28u, 48u}), front, random);
  return plan;
}

// Meshes with LODs, whose instances have a sphere of their own.
PlanSpec makeMeshPlan(SluOrder order, std::uint32_t keyCount, std::uint32_t lodCount, Random& random) {
  PlanSpec plan = simplePlan(order, 32, 3000);
  plan.info.maxViewCount = 2;
  addCulling(plan, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8);
  addBuckets(plan, keyCount, lodCount, 0, 4);
  plan.info.key.bits = keyCount > 1 ? 3 : 0;
  addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, random.pick({SluFlags{0}, SluFlags{SLU_DRAWS_RECORD_IN_FRONT_BIT}}),
           random);
  addMeshes(
      plan,
      SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT,
      lodCount > 1 ? SLU_LOD_MESH_ERRORS : SLU_LOD_VIEW_DISTANCES);
  return plan;
}

SluStatistics mergedStatistics(const FrameSpec& frame, const std::vector<Bytes>& memories, std::uint32_t view) {
  SluStatistics statistics;
  std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset + view * sizeof(statistics)],
              sizeof(statistics));
  return statistics;
}

TEST_P(Contract, ACommandPerRecordWithEachWordInFront) {
  for (const SluFlags front : kFrontOfEach) {
    for (const SluDrawType type : {SLU_DRAW_INSTANCES, SLU_DRAW_INDEXED_INSTANCES}) {
      PlanSpec plan = makeTemplatePlan(nextOrder(), type, front, random.pick({1u, 5u}), random);
      mergePlan(plan, 0, 0);
      for (const std::uint32_t count : {0u, 1u, 3000u}) ASSERT_TRUE(agreesOn(plan, count, Pattern::half, 2));
    }
  }
}

// Commands alone tell which records they draw.
TEST_P(Contract, CommandsWithoutIndicesAndRecords) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = makeTemplatePlan(order, SLU_DRAW_INDEXED_INSTANCES, 0, 5, random);
    plan.info.outputs = kCommands;
    mergePlan(plan, 900, 5);
    ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half, 2));
    plan.info.outputs = SLU_OUTPUT_DRAWS_BIT;
    plan.info.draws.flags = SLU_DRAWS_RECORD_IN_FRONT_BIT;
    ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half, 2));
  }
}

// Lists that hold one record, fewer than pass, as many as there are, and more; with zeros behind them.
TEST_P(Contract, CapacitiesAndZeroCommands) {
  for (const std::uint32_t capacity : {1u, 700u, 3000u, 3500u}) {
    for (const std::uint32_t zeroCommandCount : {0u, 3u, 0xffffffffu}) {
      PlanSpec plan =
          makeTemplatePlan(nextOrder(), SLU_DRAW_INDEXED_INSTANCES, kFrontOfEach[random.below(5)], 5, random);
      mergePlan(plan, capacity, zeroCommandCount);
      const Scene scene = makeScene(plan, makeInput(plan, 3000, Pattern::half, random), 2, random);
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(Trial(machine(), scene).run(memories, 2)) << "; " << describe(plan);
      for (std::uint32_t view = 0; view < 2; ++view) {
        const SluStatistics statistics = mergedStatistics(scene.frames[0], memories, view);
        EXPECT_EQ(statistics.keptCount, std::min(statistics.demandedCount, capacity));
        EXPECT_EQ(statistics.drawCount, statistics.keptCount);
        const bool isFull = (statistics.overflow & SLU_OVERFLOW_CAPACITY_BIT) != 0;  // or it was before
        EXPECT_TRUE(isFull || statistics.demandedCount <= capacity);
      }
      ASSERT_TRUE(agreesOn(plan, 5, Pattern::none, 1));
    }
  }
}

TEST_P(Contract, CommandsOfMeshesWithLods) {
  for (const std::uint32_t keyCount : {1u, 5u}) {
    for (const std::uint32_t lodCount : {1u, 4u}) {
      PlanSpec plan = makeMeshPlan(nextOrder(), keyCount, lodCount, random);
      mergePlan(plan, 2000, random.pick({0u, 7u}));
      if (random.chance(0.5)) plan.buckets.clear();
      ASSERT_TRUE(agreesOn(plan, 3000, Pattern::all, 2));
    }
  }
}

// Mirrored records have buckets of their own, and so templates of their own.
TEST_P(Contract, CommandsOfMirroredRecords) {
  for (const bool hasTable : {false, true}) {
    PlanSpec plan = simplePlan(nextOrder(), 80, 2000);
    addCulling(plan, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8);
    addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 24, SLU_MATRIX_COLUMNS_3X4);
    addBuckets(plan, 5, 2, 0, 4);
    plan.info.key.bits = 3;
    splitMirrored(plan);
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_BUCKET_IN_FRONT_BIT, random);
    mergePlan(plan, 0, 0);
    if (hasTable) addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
    ASSERT_TRUE(agreesOn(plan, 2000, Pattern::all));
  }
}

// LODs of the last frame, whose states are stored whatever fits.
TEST_P(Contract, CommandsWithLodStates) {
  PlanSpec plan = makeMeshPlan(nextOrder(), 5, 4, random);
  plan.info.lod.flags = SLU_LOD_STATES_BIT;
  mergePlan(plan, 100, 0);
  ASSERT_TRUE(agreesOn(plan, 3000, Pattern::all, 2));
}

TEST_P(Contract, CommandsBesideRecordsInPlace) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = makeTemplatePlan(order, SLU_DRAW_INDEXED_INSTANCES, SLU_DRAWS_RECORD_IN_FRONT_BIT, 5, random);
    plan.info.maxViewCount = 1;
    plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
    mergePlan(plan, 0, 2);
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, 3000, Pattern::half, random));
    frame.keptRecords = frame.records;
    builder.addFrame(frame);
    ASSERT_TRUE(agrees(machine(), builder.finish()));
  }
}

// One list without commands: the records of all keys that the plan has, or that the table has.
TEST_P(Contract, AListWithoutCommands) {
  for (const SluOrder order : kOrders) {
    for (const bool hasTable : {false, true}) {
      PlanSpec plan = simplePlan(nextOrder(), 8, 3000);
      addBuckets(plan, 60, 1, 0, 4);
      plan.info.key.bits = 6;
      if (hasTable) addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
      plan.buckets.clear();
      mergePlan(plan, 1000, 0);
      if (order == SLU_ORDER_STABLE) plan.info.outputs = SLU_OUTPUT_RECORDS_BIT;
      ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half));
    }
    PlanSpec counted = makeTemplatePlan(order, SLU_DRAW_INSTANCES, 0, 5, random);
    counted.info.outputs = SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_INDICES_BIT;
    mergePlan(counted, 1000, 0);
    ASSERT_TRUE(agreesOn(counted, 3000, Pattern::half, 2));
  }
}

// More meshes than buckets can be counted: nothing counts them here.
TEST_P(Contract, CommandsOfAMillionBuckets) {
  constexpr std::uint32_t kMeshes = SLU_MAX_MERGED_BUCKETS / 8;
  PlanSpec plan = simplePlan(nextOrder(), 24, 3000);
  addCulling(plan, 0, SLU_BOUNDS_IN_RECORD, 8);
  addBuckets(plan, kMeshes, 8, 0, 4);
  plan.buckets.clear();
  plan.info.outputs = kCommands | SLU_OUTPUT_INDICES_BIT;
  plan.info.draws = {SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_BUCKET_IN_FRONT_BIT};
  addMeshes(plan, SLU_MESH_FIRST_ELEMENT_BIT);
  mergePlan(plan, 0, 0);
  Input input = makeInput(plan, 3000, Pattern::all, random);
  for (std::uint32_t i = 0; i < input.count; ++i) {
    const std::uint32_t key = i == 0 ? kMeshes - 1 : i == 1 ? kMeshes : random.below(kMeshes);
    std::memcpy(&input.records[std::size_t{i} * 24 + 4], &key, sizeof(key));
  }
  ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 1, random)));
}

// Plans of more tiles than look back, in frames of several and of many.
TEST_P(Contract, CommandsOfPlansForManyRecords) {
  constexpr std::uint32_t kMost = 1u << 23;
  for (const SluOrder order : kOrders) {
    for (const bool isScene : {false, true}) {
      if (order == SLU_ORDER_UNORDERED && random.chance(0.5)) continue;  // it has the same kernels as a small plan
      PlanSpec plan = isScene ? makeMeshPlan(order, 5, 2, random)
                              : makeTemplatePlan(order, SLU_DRAW_INDEXED_INSTANCES, 0, 5, random);
      plan.info.maxRecordCount = kMost;
      for (SluBucket& bucket : plan.buckets) bucket.draw.firstInstance %= 0x1000000;
      mergePlan(plan, 9000, 4);
      for (const std::uint32_t count : {1u, 40'000u}) ASSERT_TRUE(agreesOn(plan, count, Pattern::clustered, 2));
    }
  }
}

}  // namespace
}  // namespace slu::test
