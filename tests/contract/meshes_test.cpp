// Mesh tables: what frames take from the host's structs, LODs by each rule, and meshes that come and go.
#include <algorithm>
#include <cstring>

#include "contract.h"
#include "floats.h"
#include "oracle.h"

namespace slu::test {
namespace {

constexpr SluLodRule kRules[] = {SLU_LOD_VIEW_DISTANCES, SLU_LOD_MESH_DISTANCES, SLU_LOD_MESH_ERRORS};
constexpr SluFlags kLodFlags[] = {0, SLU_LOD_NEAR_SIDE_BIT};

template <typename Value>
void setInMesh(const PlanSpec& plan, Bytes& meshes, std::uint32_t mesh, std::uint32_t offset, const Value& value) {
  std::memcpy(&meshes[std::size_t{mesh} * plan.info.meshes.stride + offset], &value, sizeof(value));
}

// A table of all the plan's meshes.
void useAll(const PlanSpec& plan, FrameSpec& frame) {
  frame.meshCount = plan.keyCount();
  frame.liveMeshCount = {};
}

SluStatistics statisticsOf(const FrameSpec& frame, const std::vector<Bytes>& memories, std::uint32_t view = 0) {
  SluStatistics statistics;
  const std::uint64_t offset = frame.statistics.offset + view * sizeof(statistics);
  std::memcpy(&statistics, &memories[frame.statistics.memory][offset], sizeof(statistics));
  return statistics;
}

// Meshes whose instances have a matrix, or bounds of their own. It lacks the table.
PlanSpec makeTablePlan(SluOrder order, std::uint32_t keyCount, std::uint32_t lodCount, SluBoundsShape shape,
                       bool isMoved, Random& random) {
  PlanSpec plan = simplePlan(order, 80, 2000);
  plan.info.maxViewCount = 2;
  addCulling(plan, SLU_CULL_DISTANCE_BIT, isMoved ? SLU_BOUNDS_IN_MESH : SLU_BOUNDS_IN_RECORD, isMoved ? 0 : 8, shape);
  if (isMoved) addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 8, SLU_MATRIX_COLUMNS_3X4);
  addBuckets(plan, keyCount, lodCount, 4000 / (keyCount * lodCount) + 3, 4);
  plan.info.key.bits = keyCount > 1 ? 3 : 0;
  addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, random.below(2), random);
  return plan;
}

// Where pipelines are compiled, one of the four plans of a rule and a shape.
TEST_P(Contract, LodsByEveryRuleAndShape) {
  for (const SluLodRule rule : kRules) {
    for (const SluBoundsShape shape : someShapes(random)) {
      const std::uint32_t one = random.below(4);
      for (std::uint32_t i = 0; i < 4; ++i) {
        if (machine().route() == SLU_ROUTE_VULKAN && i != one) continue;
        const std::uint32_t lodCount = random.between(2, SLU_MAX_LODS);
        PlanSpec plan = makeTablePlan(nextOrder(), 5, lodCount, shape, i % 2 == 1, random);
        addMeshes(plan, random.below(4), rule, kLodFlags[i / 2]);
        ASSERT_TRUE(agreesOn(plan, 2000, Pattern::half, 2));
      }
    }
  }
}

// LODs by the near side of bounds, at the view's distances.
TEST_P(Contract, LodsByTheNearSideWithoutATable) {
  for (const SluBoundsShape shape : someShapes(random)) {
    for (const SluFlags transform : {SluFlags{0}, SluFlags{SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT}}) {
      PlanSpec plan = simplePlan(nextOrder(), 64, 2000);
      plan.info.maxViewCount = 2;
      addCulling(plan, random.below(8), SLU_BOUNDS_IN_RECORD, 8, shape);
      addTransform(plan, transform, 8 + boundsBytes(shape));
      addBuckets(plan, random.pick({1u, 3u}), random.between(2, SLU_MAX_LODS), 600, 4);
      plan.info.key.bits = plan.keyCount() > 1 ? 2 : 0;
      plan.info.lod.flags = SLU_LOD_NEAR_SIDE_BIT;
      ASSERT_TRUE(agreesOn(plan, 2000, Pattern::all, 2));
    }
  }
}

TEST_P(Contract, BoundsInTheMesh) {
  for (const SluBoundsShape shape : someShapes(random)) {
    for (const SluFlags transform :
         {SluFlags{0}, SluFlags{SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT},
          SluFlags{SLU_TRANSFORM_MATRIX_BIT}}) {
      PlanSpec plan = simplePlan(nextOrder(), 64, 2000);
      addCulling(plan, random.between(1, 7), SLU_BOUNDS_IN_MESH, 0, shape);
      if (random.chance(0.5)) {
        addTransform(plan, transform, 8);
      } else {
        addTransformStream(plan, transform, 4);
      }
      addBuckets(plan, 100, 1, 40, 4);
      plan.info.key.bits = 7;
      addMeshes(plan, 0);
      ASSERT_TRUE(agreesOn(plan, 2000, Pattern::half));
      ASSERT_TRUE(agreesOn(plan, 300, Pattern::all));
    }
  }
}

// With draws of every bucket and with those of buckets that are not empty.
TEST_P(Contract, EveryCombinationOfMeshParts) {
  for (const SluDrawType type : {SLU_DRAW_INSTANCES, SLU_DRAW_INDEXED_INSTANCES}) {
    for (const SluFlags parts : everyMeshPart(type)) {
      if (machine().route() == SLU_ROUTE_VULKAN && random.chance(0.5)) continue;
      PlanSpec plan = simplePlan(nextOrder(), 24, 2000);
      const std::uint32_t lodCount = random.pick({1u, 4u});
      addCulling(plan, 0, lodCount > 1 ? SLU_BOUNDS_IN_RECORD : SLU_BOUNDS_NONE, lodCount > 1 ? 8 : 0);
      addBuckets(plan, 12, lodCount, 90, 4);
      plan.info.key.bits = 4;
      addDraws(plan, type, random.pick({20u, 36u}), (parts / 2 + parts) % 2, random);
      addMeshes(plan, parts);
      ASSERT_TRUE(agreesOn(plan, 2000, Pattern::half));
      ASSERT_TRUE(agreesOn(plan, 9, Pattern::half));
    }
  }
}

// A table alone: nothing is culled, there are no LODs, and draws are the table's.
TEST_P(Contract, ATableWithoutCullingAndLods) {
  for (const std::uint32_t keyCount : {1u, 2u, 100u}) {
    PlanSpec plan = simplePlan(nextOrder(), 8, 3000);
    plan.info.maxViewCount = 2;
    addBuckets(plan, keyCount, 1, 2000, 4);
    plan.info.key.bits = keyCount > 1 ? 7 : 0;
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, random.below(2), random);
    addMeshes(plan, SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT);
    for (const std::uint32_t count : {0u, 1u, 3000u}) ASSERT_TRUE(agreesOn(plan, count, Pattern::half, 2));
  }
}

// A table that neither draws, culls nor has LODs says which meshes there are.
TEST_P(Contract, ATableThatIsAMaskAlone) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 8, 3000);
    addBuckets(plan, 60, 1, 100, 4);
    plan.info.key.bits = 6;
    addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
    ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half));
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT;
    ASSERT_TRUE(agreesOn(plan, 3000, Pattern::half));
  }
}

// The one mesh is there or not, has LODs or not, and is resident or not.
TEST_P(Contract, ASingleBucket) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = makeTablePlan(order, 1, 1, SLU_SHAPE_SPHERE, true, random);
    addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t meshCount : {1u, 0u}) {
      for (const std::uint32_t lodCount : {1u, 0u, 0xffffffffu}) {
        for (const std::uint32_t mask : {1u, 0u, 2u, 0xffffffffu}) {
          Input input = makeInput(plan, 700, Pattern::half, random);
          setInMesh(plan, input.meshes, 0, plan.info.meshes.lodCountOffset, lodCount);
          setInMesh(plan, input.meshes, 0, plan.info.meshes.lodMaskOffset, mask);
          setInMesh(plan, input.meshes, 0, plan.info.bounds.offset, Ball{{0.0f, 0.0f, 0.0f}, 1.0f});
          FrameSpec frame = builder.makeFrame(index, input, 2);
          for (SluView& view : frame.views) view.minDistance = 0.0f, view.maxDistance = kInfinity;
          frame.meshCount = meshCount;
          frame.liveMeshCount = {};
          builder.addFrame(frame);
        }
      }
    }
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << "; " << describe(plan);
    for (std::size_t i = 0; i < scene.frames.size(); ++i) {
      const SluStatistics statistics = statisticsOf(scene.frames[i], memories);
      // The first 12 frames have the mesh. The second 4 of them have no LOD. Of each 4, two masks have LOD 0.
      const bool isThere = i < 12 && i / 4 != 1 && (i % 4 == 0 || i % 4 == 3);
      EXPECT_EQ(statistics.rejectedCount[SLU_REJECT_KEY] == 0, i < 12) << "frame " << i;
      EXPECT_EQ(statistics.demandedCount > 0, isThere) << "frame " << i;
    }
  }
}

// Each mask of 8 LODs, at each distance: the LOD that is drawn is the next coarser one, else the next finer one.
TEST_P(Contract, EveryMaskOfResidentLods) {
  constexpr std::uint32_t kMasks = 256, kCount = kMasks * SLU_MAX_LODS;
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 24, kCount);
    plan.info.live = {};
    addCulling(plan, 0, SLU_BOUNDS_IN_RECORD, 8);
    addBuckets(plan, kMasks, SLU_MAX_LODS, SLU_MAX_LODS, 4);
    addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
    Input input = makeInput(plan, kCount, Pattern::all, random);
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const std::uint32_t key = i / SLU_MAX_LODS, lod = i % SLU_MAX_LODS;
      const float sphere[4] = {static_cast<float>(lod) + 0.5f, 0.0f, 0.0f, 1.0f};
      std::memcpy(&input.records[std::size_t{i} * 24 + 4], &key, sizeof(key));
      std::memcpy(&input.records[std::size_t{i} * 24 + 8], sphere, sizeof(sphere));
      setInMesh(plan, input.meshes, key, plan.info.meshes.lodMaskOffset, key | (random.word() & ~0xffu));
    }
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
    useAll(plan, frame);
    frame.views[0].flags = 0;  // perspective
    std::fill_n(frame.views[0].eye, 3, 0.0f);
    for (std::uint32_t i = 0; i + 1 < SLU_MAX_LODS; ++i) frame.views[0].lodDistances[i] = static_cast<float>(i + 1);
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << "; " << describe(plan);
    const SluStatistics statistics = statisticsOf(frame, memories);
    EXPECT_EQ(statistics.rejectedCount[SLU_REJECT_LOD], SLU_MAX_LODS) << "those of the mesh that has no LOD";
    EXPECT_EQ(statistics.keptCount, kCount - SLU_MAX_LODS);
  }
}

// Counts of no LODs, of as many as the plan has, of more, and of nonsense; with masks that leave none, the coarser ones
// and the finer ones of those.
TEST_P(Contract, LodCountsAndMasksOfMeshes) {
  constexpr std::uint32_t kLodCounts[] = {0, 1, 2, 8, 9, 0x80000000u, 0xffffffffu};
  constexpr std::uint32_t kResident[] = {0, 0xffffffffu, 0xf0u, 0x03u, 0xffffff00u};
  constexpr std::uint32_t kMeshes = std::size(kLodCounts) * std::size(kResident);
  for (const std::uint32_t lodCount : {1u, 3u, SLU_MAX_LODS}) {
    PlanSpec plan = makeTablePlan(nextOrder(), kMeshes, lodCount, SLU_SHAPE_SPHERE, lodCount != 3, random);
    plan.info.key.bits = 6;
    addMeshes(plan, SLU_MESH_LOD_COUNT_BIT | SLU_MESH_LOD_MASK_BIT,
              lodCount > 1 ? SLU_LOD_MESH_DISTANCES : SLU_LOD_VIEW_DISTANCES);
    for (const std::uint32_t count : {2000u, 60u}) {
      Input input = makeInput(plan, count, Pattern::all, random);
      for (std::uint32_t mesh = 0; mesh < kMeshes; ++mesh) {
        const std::uint32_t lods = kLodCounts[mesh % std::size(kLodCounts)];
        setInMesh(plan, input.meshes, mesh, plan.info.meshes.lodCountOffset, lods);
        setInMesh(plan, input.meshes, mesh, plan.info.meshes.lodMaskOffset, kResident[mesh / std::size(kLodCounts)]);
      }
      SceneBuilder builder(random);
      FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input, 2);
      useAll(plan, frame);
      builder.addFrame(frame);
      ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
    }
  }
}

// A threshold that is negative or not finite is never reached, 0 always is, and of those that are reached the last one
// counts.
TEST_P(Contract, ThresholdsOfAnyKind) {
  constexpr float kThresholds[] = {0.0f, -0.0f, -1.0f, kNan, -kNan, kInfinity, -kInfinity, 1e30f, 0.5f, 1e-3f, 20.0f};
  for (const SluLodRule rule : {SLU_LOD_MESH_DISTANCES, SLU_LOD_MESH_ERRORS}) {
    for (const SluFlags lodFlags : kLodFlags) {
      PlanSpec plan = makeTablePlan(nextOrder(), 200, 6, SLU_SHAPE_BOX, true, random);
      plan.info.key.bits = 8;
      addMeshes(plan, 0, rule, lodFlags);
      const SluMeshes& meshes = plan.info.meshes;
      Input input = makeInput(plan, 2000, Pattern::all, random);
      for (std::uint32_t mesh = 0; mesh < plan.keyCount(); ++mesh) {
        for (std::uint32_t lod = 0; lod < plan.lodCount(); ++lod) {
          const float threshold = kThresholds[random.below(std::size(kThresholds))];
          setInMesh(plan, input.meshes, mesh, meshes.thresholdOffset + lod * meshes.lodStride, threshold);
        }
      }
      ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 2, random))) << "; " << describe(plan);
    }
  }
}

// The host may have written anything: every byte of the table is random.
TEST_P(Contract, TablesOfAnyBytes) {
  for (const SluOrder order : kOrders) {
    for (const SluLodRule rule : kRules) {
      PlanSpec plan = makeTablePlan(order, 150, 5, SLU_SHAPE_SPHERE, false, random);
      plan.info.key.bits = 8;
      addMeshes(plan, 31 & ~SluFlags{SLU_MESH_VERTEX_OFFSET_BIT}, rule, random.below(2));
      for (int round = 0; round < 3; ++round) {
        Input input = makeInput(plan, 2000, Pattern::half, random);
        random.fill(input.meshes);
        ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 2, random))) << "; " << describe(plan);
      }
    }
  }
}

// As many meshes as the frame says, or fewer if the buffer says so. Others have no numbers that are read.
TEST_P(Contract, LiveMeshCounts) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = makeTablePlan(order, 40, 3, SLU_SHAPE_SPHERE, true, random);
    plan.info.key.bits = 6;
    addMeshes(plan, 7, SLU_LOD_MESH_ERRORS);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t meshCount : {0u, 1u, 25u, 40u}) {
      for (const std::uint32_t live : {0u, 1u, meshCount / 2, meshCount, meshCount + 1, 0x7fffffffu, 0xffffffffu}) {
        Input input = makeInput(plan, 500, Pattern::half, random);
        input.meshes.resize(std::size_t{meshCount} * plan.info.meshes.stride);
        FrameSpec frame = builder.makeFrame(index, input, 2);
        frame.meshCount = meshCount;
        frame.liveMeshCount = live == 0x7fffffffu ? Place{} : builder.addWord(live);
        if (meshCount == 0 && live % 2 == 0) frame.meshes = {};  // of no meshes nothing is read
        builder.addFrame(frame);
      }
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
  }
}

// As many buckets as there may be, of one LOD and of eight.
TEST_P(Contract, MostMeshes) {
  for (const std::uint32_t lodCount : {1u, SLU_MAX_LODS}) {
    const std::uint32_t keyCount = SLU_MAX_BUCKETS / lodCount;
    for (const SluOrder order : kOrders) {
      PlanSpec plan = simplePlan(order, 24, 30'000);
      addCulling(plan, lodCount > 1 ? 0 : SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8);
      addBuckets(plan, keyCount, lodCount, 12, 4);
      plan.info.key.bits = lodCount > 1 ? 10 : 13;
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, order == SLU_ORDER_STABLE ? SLU_DRAWS_SKIP_EMPTY_BIT : 0, random);
      addMeshes(plan, 15, lodCount > 1 ? SLU_LOD_MESH_DISTANCES : SLU_LOD_VIEW_DISTANCES);
      ASSERT_TRUE(agreesOn(plan, 30'000, Pattern::half));
      ASSERT_TRUE(agreesOn(plan, 500, Pattern::all));
    }
  }
}

constexpr std::uint32_t kStreamed = 1000, kRecordsOfEach = 8;

// A record's key is its number modulo the number of meshes.
PlanSpec makeStreamingPlan(SluOrder order, Random& random) {
  PlanSpec plan = simplePlan(order, 24, kStreamed * kRecordsOfEach);
  plan.info.live = {};
  addCulling(plan, 0, SLU_BOUNDS_IN_RECORD, 8);
  addBuckets(plan, kStreamed, 4, kRecordsOfEach, 4);
  plan.info.key.bits = 10;
  addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
  addMeshes(plan, SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT,
            SLU_LOD_MESH_DISTANCES);
  return plan;
}

Input makeStreamingInput(const PlanSpec& plan, Random& random) {
  Input input = makeInput(plan, plan.info.maxRecordCount, Pattern::all, random);
  for (std::uint32_t i = 0; i < input.count; ++i) {
    std::uint8_t* record = &input.records[std::size_t{i} * plan.info.recordStride];
    const std::uint32_t key = i % kStreamed;
    const Ball ball{{random.uniform(-90.0f, 90.0f), random.uniform(-90.0f, 90.0f), 0.0f}, 1.0f};
    std::memcpy(record + plan.info.key.offset, &key, sizeof(key));
    std::memcpy(record + plan.info.bounds.offset, &ball, sizeof(ball));
  }
  return input;
}

// Some meshes get other numbers, appear or vanish. masks: of the LODs that are resident, by mesh.
void stream(const PlanSpec& plan, Bytes& meshes, std::vector<std::uint32_t>& masks, Random& random) {
  const std::size_t stride = plan.info.meshes.stride;
  const Bytes others = makeMeshes(plan, random);
  for (std::uint32_t mesh = 0; mesh < kStreamed; ++mesh) {
    const bool isThere = masks[mesh] != 0;
    if (!random.chance(isThere ? 0.2 : 0.5)) continue;
    std::memcpy(&meshes[mesh * stride], &others[mesh * stride], stride);
    masks[mesh] = isThere && random.chance(0.5) ? 0 : random.between(1, 15);
    setInMesh(plan, meshes, mesh, plan.info.meshes.lodMaskOffset, masks[mesh]);
  }
}

// A thousand meshes are streamed in and out of one plan by writes into the table. In every frame each record of a mesh
// that is resident is kept, each of another one is rejected, and draws have the numbers of the moment.
TEST_P(Contract, MeshesComeAndGo) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeStreamingPlan(order, random);
    Input input = makeStreamingInput(plan, random);
    std::vector<std::uint32_t> masks(kStreamed, 0);
    for (std::uint32_t mesh = 0; mesh < kStreamed; ++mesh) {
      setInMesh(plan, input.meshes, mesh, plan.info.meshes.lodMaskOffset, 0u);
    }
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
    frame.meshCount = kStreamed;
    frame.liveMeshCount = builder.addWord(0);
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    Trial trial(machine(), scene);
    for (std::uint32_t round = 0; round < 20; ++round) {
      const std::uint32_t meshCount = std::min((round + 1) * 150, kStreamed) - random.below(150);
      stream(plan, input.meshes, masks, random);
      std::memcpy(&memories[frame.meshes.memory][frame.meshes.offset], input.meshes.data(), input.meshes.size());
      std::memcpy(&memories[frame.liveMeshCount.memory][frame.liveMeshCount.offset], &meshCount, sizeof(meshCount));
      ASSERT_TRUE(trial.run(memories)) << "; round " << round << ", " << describe(plan);
      std::uint32_t residentCount = 0;
      for (std::uint32_t mesh = 0; mesh < meshCount; ++mesh) residentCount += masks[mesh] != 0 ? 1 : 0;
      const SluStatistics statistics = statisticsOf(frame, memories);
      EXPECT_EQ(statistics.keptCount, residentCount * kRecordsOfEach);
      EXPECT_EQ(statistics.rejectedCount[SLU_REJECT_LOD], (meshCount - residentCount) * kRecordsOfEach);
      EXPECT_EQ(statistics.rejectedCount[SLU_REJECT_KEY], (kStreamed - meshCount) * kRecordsOfEach);
    }
  }
}

}  // namespace
}  // namespace slu::test
