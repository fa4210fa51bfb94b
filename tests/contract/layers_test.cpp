// Layers: which views show which records.
#include <cstring>
#include <iterator>

#include "contract.h"

namespace slu::test {
namespace {

// Some of several views show nothing, some the same.
void setMasks(FrameSpec& frame, Random& random) {
  const std::uint32_t some = 1u << random.below(32) | 1u << random.below(32);
  const std::uint32_t masks[] = {some, 0, 0xffffffffu, some};
  for (std::uint32_t i = 0; i < frame.viewCount; ++i) frame.views[i].layerMask = masks[i % std::size(masks)];
}

// By layers alone, and with each kind of bounds; in the record, and in a stream.
TEST_P(Contract, LayersOfSeveralViews) {
  constexpr std::uint32_t kCount = 3000, kLayersAt = 20;
  for (const SluFlags cullFlags : {SluFlags{0}, SluFlags{SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT}}) {
    for (const bool isStream : {false, true}) {
      for (const std::uint32_t keyCount : {1u, 5u}) {
        PlanSpec plan = simplePlan(nextOrder(), 24, kCount);
        if (cullFlags != 0) {
          addCulling(plan, cullFlags, SLU_BOUNDS_PER_RECORD, 0, random.pick({SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}));
        }
        addLayers(plan, isStream ? random.below(3) * 4 : kLayersAt, isStream);
        addBuckets(plan, keyCount, 1, kCount, 4);
        plan.info.key.bits = keyCount > 1 ? 3 : 0;
        plan.info.maxViewCount = 4;
        SceneBuilder builder(random);
        const std::uint32_t index = builder.addPlan(plan);
        std::vector<FrameSpec> frames;
        for (const std::uint32_t viewCount : {1u, 4u}) {
          FrameSpec frame = builder.makeFrame(index, makeInput(plan, kCount, Pattern::half, random), viewCount);
          setMasks(frame, random);
          builder.addFrame(frame);
          frames.push_back(frame);
        }
        const Scene scene = builder.finish();
        std::vector<Bytes> memories = scene.memories;
        ASSERT_TRUE(Trial(machine(), scene).run(memories)) << "; " << describe(plan);
        const auto keptOf = [&](std::uint32_t view) {
          const Place place = frames.back().statistics;
          SluStatistics statistics[4];
          std::memcpy(statistics, &memories[place.memory][place.offset], sizeof(statistics));
          EXPECT_EQ(statistics[view].rejectedCount[SLU_REJECT_LAYER] > 0, view != 2) << "view " << view;
          return statistics[view].keptCount;
        };
        EXPECT_EQ(keptOf(1), 0u);
        EXPECT_GT(keptOf(2), cullFlags == 0 ? keptOf(0) : 0u);
        EXPECT_TRUE(cullFlags != 0 || keptOf(0) == keptOf(3)) << "equal views";
      }
    }
  }
}

// Records that are never culled, with layers and without; of spheres, boxes, and what a matrix moves.
TEST_P(Contract, RecordsThatAreNeverCulled) {
  constexpr std::uint32_t kCount = 3000;
  for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_CORNERS}) {
    for (const bool isStream : {false, true}) {
      for (const std::uint32_t lodCount : {1u, 3u}) {
        PlanSpec plan = simplePlan(nextOrder(), 96, kCount);
        addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_IN_RECORD, 12, shape);
        if (shape != SLU_SHAPE_SPHERE) addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 36);
        addMarks(plan, 8, isStream, random);
        if (random.chance(0.5)) addLayers(plan, 8, isStream);
        addBuckets(plan, 5, lodCount, kCount, 4);
        plan.info.key.bits = 3;
        if (lodCount > 1 && random.chance(0.5)) plan.info.lod.flags = SLU_LOD_NEAR_SIDE_BIT;
        plan.info.maxViewCount = 3;
        SceneBuilder builder(random);
        const FrameSpec frame =
            builder.makeFrame(builder.addPlan(plan), makeInput(plan, kCount, Pattern::all, random), 3);
        builder.addFrame(frame);
        const Scene scene = builder.finish();
        std::vector<Bytes> memories = scene.memories;
        ASSERT_TRUE(Trial(machine(), scene).run(memories)) << "; " << describe(plan);
        SluStatistics statistics;
        std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset], sizeof(statistics));
        const bool testsLayers = plan.testsLayers();
        EXPECT_GT(statistics.keptCount, kCount / (testsLayers ? 8 : 3)) << "half of the random words are marked";
        const bool showsMarkedAlone = testsLayers && frame.views[0].layerMask == plan.info.layers.neverCullMask;
        EXPECT_EQ(statistics.rejectedCount[SLU_REJECT_FRUSTUM] > 0, !showsMarkedAlone);
      }
    }
  }
}

// With a mesh table whose bounds decide, LODs, and records that move.
TEST_P(Contract, LayersOfMeshes) {
  constexpr std::uint32_t kCount = 3000;
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 64, kCount);
    addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_IN_MESH, 0);
    addTransform(plan, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT, 8);
    addLayers(plan, 60, false);
    addBuckets(plan, 6, 3, kCount, 4);
    plan.info.key.bits = 3;
    plan.info.maxViewCount = 3;
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    addMeshes(plan, SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT, SLU_LOD_MESH_DISTANCES);
    for (const SluFlags flags : {SluFlags{0}, SluFlags{SLU_PLAN_IN_PLACE_BIT}}) {
      plan.info.flags = flags;
      ASSERT_TRUE(agreesOn(plan, kCount, Pattern::half, 3));
    }
  }
}

}  // namespace
}  // namespace slu::test
