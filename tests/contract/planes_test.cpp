// Views with more than six planes.
#include <algorithm>
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kRecordCount = 3000;

PlanSpec makePlanesPlan(SluOrder order, SluBoundsShape shape, std::uint32_t keyCount, std::uint32_t lodCount) {
  PlanSpec plan = simplePlan(order, 48, kRecordCount);
  addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_MORE_PLANES_BIT, SLU_BOUNDS_IN_RECORD, 8, shape);
  if (keyCount * lodCount > 1) addBuckets(plan, keyCount, lodCount, kRecordCount, 4);
  plan.info.key.bits = keyCount > 1 ? 3 : 0;
  plan.info.maxViewCount = SLU_MAX_VIEWS;
  return plan;
}

void passEverything(float (&planes)[6][4]) {
  constexpr float kEverything[4] = {0, 0, 0, 1};
  for (float(&plane)[4] : planes) std::copy_n(kEverything, 4, plane);
}

std::uint32_t rejectedByFrustum(const FrameSpec& frame, std::uint32_t view, const std::vector<Bytes>& memories) {
  SluStatistics statistics;
  const Place& place = frame.statistics;
  std::memcpy(&statistics, &memories[place.memory][place.offset + view * sizeof(statistics)], sizeof(statistics));
  return statistics.rejectedCount[SLU_REJECT_FRUSTUM];
}

// The views' own planes pass everything, and each of the six others is the only one that rejects once. View 0 has none.
TEST_P(Contract, EachOfMorePlanesRejects) {
  for (const SluOrder order : kOrders) {
    for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}) {
      const PlanSpec plan = makePlanesPlan(order, shape, 1, 1);
      SceneBuilder builder(random);
      FrameSpec frame =
          builder.makeFrame(builder.addPlan(plan), makeInput(plan, kRecordCount, Pattern::all, random), 7);
      frame.morePlanes.clear();
      for (std::uint32_t view = 0; view < frame.viewCount; ++view) {
        passEverything(frame.views[view].planes);
        if (view == 0) continue;
        SluMorePlanes& more = frame.morePlanes.emplace_back();
        more.view = view;
        passEverything(more.planes);
        // Through the eye, along an axis: both sides have records, since eyes are among them.
        const float normal[3] = {view % 3 == 0 ? 1.0f : 0.0f, view % 3 == 1 ? 1.0f : 0.0f,
                                 view % 3 == 2 ? -1.0f : 0.0f};
        float w = 0;
        for (int i = 0; i < 3; ++i) w -= normal[i] * frame.views[view].eye[i];
        const float plane[4] = {normal[0], normal[1], normal[2], w};
        std::copy_n(plane, 4, more.planes[view - 1]);
      }
      builder.addFrame(frame);
      const Scene scene = builder.finish();
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
      EXPECT_EQ(rejectedByFrustum(frame, 0, memories), 0u);
      for (std::uint32_t view = 1; view < frame.viewCount; ++view) {
        EXPECT_GT(rejectedByFrustum(frame, view, memories), 0u) << "plane " << view - 1;
      }
    }
  }
}

// As many views as there is room for, with planes for some, for each or for none of them.
TEST_P(Contract, MorePlanesOfAnyViews) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t viewCount : {1u, 5u, 8u, 12u, 16u}) {
      const PlanSpec plan = makePlanesPlan(order, random.chance(0.5) ? SLU_SHAPE_SPHERE : SLU_SHAPE_CORNERS_VEC4,
                                           random.pick({1u, 5u}), random.pick({1u, 3u}));
      ASSERT_TRUE(agreesOn(plan, kRecordCount, Pattern::half, viewCount)) << describe(plan);
    }
  }
}

// With what else decides about a record of a scene.
TEST_P(Contract, MorePlanesBesideMeshesMarksAndMirrors) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t lodCount : {1u, 4u}) {
      PlanSpec plan = makePlanesPlan(order, SLU_SHAPE_BOX, 5, lodCount);
      plan.info.cullFlags |= SLU_CULL_DISTANCE_BIT | SLU_CULL_SIZE_BIT;
      addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, 0, SLU_MATRIX_COLUMNS_3X4);
      splitMirrored(plan);
      addMarks(plan, 36, false, random);
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, 0, random);
      addMeshes(plan, SLU_MESH_LOD_MASK_BIT, lodCount > 1 ? SLU_LOD_MESH_ERRORS : SLU_LOD_VIEW_DISTANCES);
      ASSERT_TRUE(agreesOn(plan, kRecordCount, Pattern::half, 4)) << describe(plan);
    }
  }
}

}  // namespace
}  // namespace slu::test
