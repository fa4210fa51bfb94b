// Views with more than six planes, and views of two frusta.
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
        frame.views[view].flags &= ~SluFlags{SLU_VIEW_EITHER_FRUSTUM_BIT};
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
      if (!takes(0.5)) continue;
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

// What planes let pass: x from low to high.
struct Slab {
  float low, high;
};
constexpr Slab kEverywhere = {-2e18f, 2e18f}, kNowhere = {2e18f, -2e18f};  // valid bounds are nearer

void setSlab(float (&planes)[6][4], Slab slab) {
  const float low[4] = {1, 0, 0, -slab.low}, high[4] = {-1, 0, 0, slab.high};
  passEverything(planes);
  std::copy_n(low, 4, planes[1]);
  std::copy_n(high, 4, planes[5]);
}

struct SlabView {
  Slab own;
  const Slab* more;  // null: the view has six planes
  SluFlags flags;
};

// Gives each view its slabs, and all views the eye of the first one.
void setSlabs(FrameSpec& frame, const std::vector<SlabView>& slabs) {
  frame.morePlanes.clear();
  frame.views.resize(slabs.size(), frame.views.front());
  for (std::uint32_t view = 0; view < slabs.size(); ++view) {
    frame.views[view] = frame.views.front();
    frame.views[view].flags = slabs[view].flags;
    setSlab(frame.views[view].planes, slabs[view].own);
    if (slabs[view].more == nullptr) continue;
    SluMorePlanes& more = frame.morePlanes.emplace_back();
    more.view = view;
    setSlab(more.planes, *slabs[view].more);
  }
}

// Two frusta with a gap between them, and two that overlap. What both reject follows from what each of them rejects, and
// from what a view rejects whose planes are those of both.
TEST_P(Contract, EitherFrustumKeeps) {
  constexpr SluFlags kEither = SLU_VIEW_EITHER_FRUSTUM_BIT;
  for (const SluOrder order : kOrders) {
    for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}) {
      for (const float gap : {15.0f, -15.0f}) {
        const PlanSpec plan = makePlanesPlan(order, shape, 1, 1);
        const Slab left = {kEverywhere.low, -gap}, right = {gap, kEverywhere.high};
        const std::vector<SlabView> slabs = {
            {left, nullptr, 0},         {right, nullptr, 0},           {left, &right, 0},
            {left, &right, kEither},    {left, &left, kEither},        {left, &kNowhere, kEither},
            {kNowhere, &left, kEither}, {left, &kEverywhere, kEither},
        };
        SceneBuilder builder(random);
        FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kRecordCount, Pattern::all, random),
                                            static_cast<std::uint32_t>(slabs.size()));
        setSlabs(frame, slabs);
        builder.addFrame(frame);
        const Scene scene = builder.finish();
        std::vector<Bytes> memories = scene.memories;
        ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
        std::vector<std::uint32_t> rejected;
        for (std::uint32_t view = 0; view < slabs.size(); ++view) {
          rejected.push_back(rejectedByFrustum(frame, view, memories));
        }
        EXPECT_LT(rejected[3], std::min(rejected[0], rejected[1]));
        EXPECT_EQ(rejected[3], rejected[0] + rejected[1] - rejected[2]);
        EXPECT_EQ(rejected[4], rejected[0]) << "the same frustum twice";
        EXPECT_EQ(rejected[5], rejected[0]) << "the second one is empty";
        EXPECT_EQ(rejected[6], rejected[0]) << "the first one is empty";
        EXPECT_EQ(rejected[7], 0u) << "the second one keeps everything";
      }
    }
  }
}

// With what else decides about a record, and for each view that has more planes.
TEST_P(Contract, EitherFrustumBesideLayersMarksAndLods) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t viewCount : {1u, 4u}) {
      for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_CORNERS}) {
        if (!takes(0.5)) continue;
        PlanSpec plan = makePlanesPlan(order, shape, 5, 3);
        plan.info.cullFlags |= SLU_CULL_DISTANCE_BIT | SLU_CULL_SIZE_BIT;
        addLayers(plan, 36, false);
        addMarks(plan, 36, false, random);
        addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, 0, SLU_MATRIX_ROWS);
        SceneBuilder builder(random);
        FrameSpec frame =
            builder.makeFrame(builder.addPlan(plan), makeInput(plan, kRecordCount, Pattern::half, random), viewCount);
        for (const SluMorePlanes& more : frame.morePlanes) frame.views[more.view].flags |= SLU_VIEW_EITHER_FRUSTUM_BIT;
        builder.addFrame(frame);
        ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan) << viewCount << " views";
      }
    }
  }
}

}  // namespace
}  // namespace slu::test
