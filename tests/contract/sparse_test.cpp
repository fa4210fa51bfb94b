// More packed buckets than can be described one by one.
#include <algorithm>
#include <cstring>
#include <set>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kSparseRecords = 3000;
constexpr std::uint32_t kChunk = 4096;  // buckets that kernels take at once

// Records of 8 bytes, of which the second word is the key. Buckets are not described.
PlanSpec makeListPlan(std::uint32_t keyCount) {
  PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 8, kSparseRecords);
  plan.info.key.keyCount = keyCount;
  plan.info.key.offset = 4;
  plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  plan.info.placement = SLU_PLACEMENT_PACKED;
  return plan;
}

// Draws whose numbers are those of a mesh table.
void addTableDraws(PlanSpec& plan, Random& random) {
  const bool isIndexed = random.chance(0.5);
  plan.info.outputs |= SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  plan.info.draws.type = isIndexed ? SLU_DRAW_INDEXED_INSTANCES : SLU_DRAW_INSTANCES;
  plan.info.draws.stride = random.pick({24u, 28u});
  plan.info.draws.flags = SLU_DRAWS_SKIP_EMPTY_BIT | random.pick({SluFlags{0}, SluFlags{SLU_DRAWS_FIRST_IN_FRONT_BIT},
                                                                  SluFlags{SLU_DRAWS_BUCKET_IN_FRONT_BIT},
                                                                  SluFlags{SLU_DRAWS_NUMBER_IN_FRONT_BIT}});
  plan.info.zeroCommandCount = random.pick({0u, 3u, 300u, 0xffffffffu});
  addMeshes(plan, SLU_MESH_FIRST_ELEMENT_BIT | (isIndexed ? SluFlags{SLU_MESH_LOD_VERTEX_OFFSET_BIT} : SluFlags{0}));
}

PlanSpec makeDrawnPlan(std::uint32_t keyCount, Random& random) {
  PlanSpec plan = makeListPlan(keyCount);
  addTableDraws(plan, random);
  return plan;
}

// Meshes with LODs, whose instances have a sphere of their own, and mirrored ones buckets of their own.
PlanSpec makeSpheresPlan(std::uint32_t keyCount, std::uint32_t lodCount, SluFlags lodFlags, Random& random) {
  PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 80, kSparseRecords);
  plan.info.maxViewCount = 3;
  addCulling(plan, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8);
  addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 24);
  plan.info.key.keyCount = keyCount;
  plan.info.key.lodCount = lodCount;
  plan.info.key.offset = 4;
  plan.info.flags = SLU_PLAN_SPLIT_MIRRORED_BIT;
  plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
  plan.info.placement = SLU_PLACEMENT_PACKED;
  addTableDraws(plan, random);
  addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT, SLU_LOD_MESH_ERRORS,
            lodFlags);
  return plan;
}

// All records are live. keyOf(i): the key of record i.
template <typename KeyOf>
Input inputOf(const PlanSpec& plan, std::uint32_t count, Random& random, const KeyOf& keyOf) {
  Input input = makeInput(plan, count, Pattern::all, random);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t key = keyOf(i);
    std::memcpy(&input.records[std::size_t{i} * plan.info.recordStride + 4], &key, sizeof(key));
  }
  return input;
}

SluStatistics sparseStatistics(const FrameSpec& frame, const std::vector<Bytes>& memories) {
  SluStatistics statistics;
  std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset], sizeof(statistics));
  return statistics;
}

TEST_P(Contract, SparseBucketsOfEveryNumber) {
  for (const std::uint32_t keyCount : {SLU_MAX_BUCKETS + 1, 1u << 13, 100'003u, 1u << 20}) {
    PlanSpec plan = makeDrawnPlan(keyCount, random);
    plan.info.maxViewCount = 2;
    plan.info.capacity = random.pick({0u, 1u, 700u});
    ASSERT_TRUE(plan.isSparse());
    if (keyCount < 100'000) {
      ASSERT_TRUE(agreesOn(plan, random.below(2), Pattern::half, 2));
    }
    ASSERT_TRUE(agreesOn(plan, kSparseRecords, Pattern::half, keyCount < 1u << 20 ? 2 : 1));
  }
}

// All records in one bucket, in the last one, at the edges of chunks, and each in a bucket of its own; with capacities
// that end within a bucket, between two of them, and at the end of a chunk.
TEST_P(Contract, SparseBucketsWhereRecordsCrowd) {
  constexpr std::uint32_t kKeys = 3 * kChunk + 5;
  constexpr std::uint32_t kEdges[] = {0, 15, 16, kChunk - 1, kChunk, 2 * kChunk - 1, 2 * kChunk, kKeys - 1};
  const auto keyOf = [&](std::uint32_t spread, std::uint32_t i) {
    if (spread == 0) return kChunk + 17;
    if (spread == 1) return kKeys - 1;
    return spread == 2 ? kEdges[i % 8] : i * 4;
  };
  for (std::uint32_t spread = 0; spread < 4; ++spread) {
    PlanSpec plan = makeDrawnPlan(kKeys, random);
    for (const std::uint32_t capacity : {1u, 1024u, 1025u, 1499u, kSparseRecords, kSparseRecords + 1}) {
      plan.info.capacity = capacity;
      const Input input = inputOf(plan, kSparseRecords, random, [&](std::uint32_t i) { return keyOf(spread, i); });
      SceneBuilder builder(random);
      FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
      frame.meshCount = kKeys;
      frame.liveMeshCount = {};
      builder.addFrame(frame);
      const Scene scene = builder.finish();
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(Trial(machine(), scene).run(memories)) << "spread " << spread << "; " << describe(plan);
      const SluStatistics statistics = sparseStatistics(frame, memories);
      ASSERT_EQ(statistics.demandedCount, kSparseRecords);
      ASSERT_EQ(statistics.keptCount, std::min(capacity, kSparseRecords));
      std::vector<std::uint32_t> keys;
      for (std::uint32_t i = 0; i < kSparseRecords; ++i) keys.push_back(keyOf(spread, i));
      std::sort(keys.begin(), keys.end());
      const std::set<std::uint32_t> drawn(keys.begin(), keys.begin() + statistics.keptCount);
      ASSERT_EQ(statistics.drawCount, drawn.size());
    }
  }
}

TEST_P(Contract, SparseBucketsOfEveryOutput) {
  constexpr SluFlags kPossible = kAllOutputs & ~SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT};
  for (SluFlags outputs = 1; outputs <= kPossible; ++outputs) {
    if ((outputs & ~kPossible) != 0) continue;
    if (machine().route() != SLU_ROUTE_CPU && !random.samples(0.1)) continue;  // each may compile kernels
    const bool draws = (outputs & (SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT)) != 0;
    PlanSpec plan = draws ? makeDrawnPlan(5000, random) : makeListPlan(5000);
    plan.info.outputs = outputs;
    if ((outputs & SLU_OUTPUT_DRAWS_BIT) == 0) plan.info.zeroCommandCount = 0;
    plan.info.capacity = random.pick({0u, 700u});
    ASSERT_TRUE(agreesOn(plan, random.pick({0u, kSparseRecords}), Pattern::half));
  }
}

TEST_P(Contract, SparseBucketsOfViewsAndLods) {
  for (const SluFlags lodFlags : {SluFlags{0}, SluFlags{SLU_LOD_STATES_BIT}}) {
    PlanSpec plan = makeSpheresPlan(700, 4, lodFlags, random);
    ASSERT_TRUE(plan.isSparse());
    for (const std::uint32_t capacity : {0u, 900u}) {
      plan.info.capacity = capacity;
      ASSERT_TRUE(agreesOn(plan, kSparseRecords, Pattern::all, 3));
      ASSERT_TRUE(agreesOn(plan, random.between(1, 999), Pattern::all, 1));
    }
  }
}

// Zero buckets that the host gives although nothing needs them, and records that are kept in place.
TEST_P(Contract, SparseBucketsThatAreGiven) {
  PlanSpec plan = makeDrawnPlan(SLU_MAX_BUCKETS + 1, random);
  plan.buckets.assign(plan.info.key.keyCount, SluBucket{});
  plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
  SceneBuilder builder(random);
  FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kSparseRecords, Pattern::half, random));
  frame.keptRecords = frame.records;
  builder.addFrame(frame);
  ASSERT_TRUE(agrees(machine(), builder.finish()));
}

// Frames leave nothing behind: each has other buckets, fewer records or fewer meshes than the one before.
TEST_P(Contract, SparseBucketsFromFrameToFrame) {
  PlanSpec plan = makeDrawnPlan(3 * kChunk, random);
  plan.info.capacity = 2000;
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (const std::uint32_t count : {kSparseRecords, 10u, 0u, 1500u, kSparseRecords}) {
    FrameSpec frame = builder.makeFrame(index, makeInput(plan, count, Pattern::half, random));
    frame.liveCount = builder.addWord(random.pick({0u, count / 2, count, count + 1}));
    frame.meshCount = random.pick({0u, kChunk - 1, kChunk, kChunk + 1, 3 * kChunk});
    builder.addFrame(frame);
  }
  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  ASSERT_TRUE(Trial(machine(), scene).run(memories, 2)) << "; " << describe(plan);
}

// More records than a workgroup takes, in tiles of which some keep nothing.
TEST_P(Contract, SparseBucketsOfManyTiles) {
  PlanSpec plan = makeDrawnPlan(1u << 17, random);
  plan.info.maxRecordCount = 70'000;
  const std::uint32_t tile = tileOf(plan);
  for (const std::uint32_t count : {tile - 1, tile, tile + 1, 70'000u}) {
    ASSERT_TRUE(agreesOn(plan, count, random.pick({Pattern::all, Pattern::half, Pattern::clustered})));
  }
}

TEST_P(Contract, SparseBucketsWithStreams) {
  for (const SluFlags outputs : {SluFlags{SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT}, SluFlags{0}}) {
    PlanSpec plan = makeListPlan(9000);
    plan.info.maxViewCount = 2;
    plan.info.outputs = outputs;
    if (outputs != 0) addTableDraws(plan, random);
    plan.info.capacity = random.pick({0u, 1100u});
    addRandomStreams(plan, 2, random);
    ASSERT_TRUE(agreesOn(plan, kSparseRecords, Pattern::half, 2));
    ASSERT_TRUE(agreesOn(plan, 5, Pattern::half, 2));
  }
}

// 2^20 meshes with 8 LODs each.
TEST_P(Contract, MostSparseBuckets) {
  PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 24, kSparseRecords);
  addCulling(plan, 0, SLU_BOUNDS_IN_RECORD, 8);
  plan.info.key.keyCount = SLU_MAX_PACKED_BUCKETS / SLU_MAX_LODS;
  plan.info.key.lodCount = SLU_MAX_LODS;
  plan.info.key.offset = 4;
  plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  plan.info.draws = {SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT | SLU_DRAWS_BUCKET_IN_FRONT_BIT};
  plan.info.placement = SLU_PLACEMENT_PACKED;
  addMeshes(plan, 0);
  const std::uint32_t keyCount = plan.info.key.keyCount;
  const Input input = inputOf(plan, kSparseRecords, random,
                              [&](std::uint32_t i) { return i < 2 ? keyCount - 1 + i : random.below(keyCount); });
  ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 1, random)));
}

}  // namespace
}  // namespace slu::test
