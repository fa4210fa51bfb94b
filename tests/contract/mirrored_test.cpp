// Records that mirror, in buckets of their own.
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kMirrorings = 3000;

// A plan whose records hold bounds and transforms.
PlanSpec makePlan(SluOrder order, SluBoundsShape shape, SluFlags transformFlags, SluMatrixForm form,
                  std::uint32_t keyCount, std::uint32_t lodCount) {
  PlanSpec plan = simplePlan(order, 104, kMirrorings);
  addCulling(plan, SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 8, shape);  // which keeps many, whatever the view is
  addTransform(plan, transformFlags, 40, form);
  addBuckets(plan, keyCount, lodCount, kMirrorings, 4);
  plan.info.key.bits = keyCount > 1 ? 3 : 0;
  plan.info.maxViewCount = 2;
  splitMirrored(plan);
  return plan;
}

// How many records of the first view are kept in either half of the buckets.
std::array<std::uint32_t, 2> keptInHalves(const PlanSpec& plan, const FrameSpec& frame,
                                          const std::vector<Bytes>& memories) {
  std::array<std::uint32_t, 2> sums{};
  for (std::uint32_t bucket = 0; bucket < plan.bucketCount(); ++bucket) {
    SluBucketCount count;
    const Place& place = frame.bucketCounts;
    std::memcpy(&count, &memories[place.memory][place.offset + bucket * sizeof(count)], sizeof(count));
    sums[bucket / plan.firstMirrored()] += count.keptCount;
  }
  return sums;
}

// Agrees with the oracle, and keeps records of both kinds.
testing::AssertionResult splits(Machine& machine, const PlanSpec& plan, Random& random) {
  SceneBuilder builder(random);
  const FrameSpec frame =
      builder.makeFrame(builder.addPlan(plan), makeInput(plan, kMirrorings, Pattern::all, random), 2);
  builder.addFrame(frame);
  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  testing::AssertionResult agrees = Trial(machine, scene).run(memories);
  if (!agrees) return agrees << "; " << describe(plan);
  const auto [others, mirrored] = keptInHalves(plan, frame, memories);
  if (others > 0 && mirrored > 0) return testing::AssertionSuccess();
  return testing::AssertionFailure() << others << " and " << mirrored << " are kept; " << describe(plan);
}

TEST_P(Contract, EveryTransformThatMirrors) {
  constexpr SluFlags kScales[] = {
      SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT,
      SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT};
  for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_CORNERS_VEC4}) {
    for (const SluFlags flags : kScales) {
      if (!takes(0.5)) continue;
      ASSERT_TRUE(splits(machine(), makePlan(nextOrder(), shape, flags, SLU_MATRIX_ROWS, 1, 1), random));
    }
    for (const SluMatrixForm form : kMatrixForms) {
      if (!takes(0.5)) continue;
      const std::uint32_t lodCount = random.pick({1u, 3u});
      ASSERT_TRUE(splits(machine(), makePlan(nextOrder(), shape, SLU_TRANSFORM_MATRIX_BIT, form, 5, lodCount), random));
    }
  }
}

// Stable frames compute twice whether a record mirrors: when they count, and when they emit.
TEST_P(Contract, MirroredRecordsInBothOrders) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t keyCount : {1u, 5u}) {
      for (const std::uint32_t lodCount : {1u, 3u}) {
        if (!takes(0.5)) continue;
        ASSERT_TRUE(splits(
            machine(), makePlan(order, SLU_SHAPE_BOX, SLU_TRANSFORM_MATRIX_BIT, SLU_MATRIX_ROWS, keyCount, lodCount),
            random));
      }
    }
  }
}

// With a mesh table, whose meshes have draws in either half, with layers, and in place.
TEST_P(Contract, MirroredRecordsOfMeshes) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan =
        makePlan(order, SLU_SHAPE_SPHERE, SLU_TRANSFORM_MATRIX_BIT, SLU_MATRIX_ROWS, 5, random.pick({1u, 3u}));
    plan.info.flags |= SLU_PLAN_IN_PLACE_BIT;
    addMarks(plan, 0, false, random);
    addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, random.pick({SluFlags{0}, SluFlags{SLU_DRAWS_SKIP_EMPTY_BIT}}),
             random);
    addMeshes(plan, SLU_MESH_LOD_MASK_BIT | SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_LOD_VERTEX_OFFSET_BIT);
    ASSERT_TRUE(agreesOn(plan, kMirrorings, Pattern::all, 2)) << describe(plan);
  }
}

// Records that are never culled are kept with scales that are not finite, which mirror nothing.
TEST_P(Contract, TransformsThatAreNotFiniteMirrorNothing) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const SluFlags flags : {SluFlags{SLU_TRANSFORM_SCALE_BIT}, SluFlags{SLU_TRANSFORM_AXIS_SCALE_BIT}}) {
    PlanSpec plan = makePlan(nextOrder(), SLU_SHAPE_BOX, flags, SLU_MATRIX_ROWS, 1, 1);
    addMarks(plan, 0, false, random);
    Input input = makeInput(plan, kMirrorings, Pattern::all, random);
    std::uint32_t mirroredCount = 0;
    for (std::uint32_t record = 0; record < kMirrorings; ++record) {
      std::uint8_t* const bytes = &input.records[std::size_t{record} * plan.info.recordStride];
      std::memcpy(bytes + plan.info.layers.offset, &plan.info.layers.neverCullMask, sizeof(std::uint32_t));
      float scales[3];
      for (float& scale : scales) {
        scale = random.pick({1.0f, -1.0f, random.uniform(-2.0f, 2.0f), kInfinity, -kInfinity, std::nanf("")});
      }
      std::memcpy(bytes + plan.info.bounds.scaleOffset, scales, sizeof(scales));
      const float last = flags == SLU_TRANSFORM_SCALE_BIT ? scales[0] * scales[0] : scales[1] * scales[2];
      mirroredCount += scales[0] * last < 0.0f && std::isfinite(scales[0] * last);
    }
    SceneBuilder builder(random);
    const FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input, 1);
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
    const std::array<std::uint32_t, 2> expected = {kMirrorings - mirroredCount, mirroredCount};
    EXPECT_EQ(keptInHalves(plan, frame, memories), expected);
  }
}

// Where bounds or transforms may be missing. Those that are never culled are kept without.
TEST_P(Contract, MirroredRecordsOfSharedStreams) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 16, kMirrorings);
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0, SLU_SHAPE_BOX);
    addTransformStream(plan, SLU_TRANSFORM_MATRIX_BIT, 0);
    addMarks(plan, 0, true, random);
    addIndices(plan, SLU_INDEXED_BOUNDS_BIT, 4);
    addIndices(plan, SLU_INDEXED_TRANSFORMS_BIT, 8);
    addBuckets(plan, 1, 1, kMirrorings);
    plan.info.maxViewCount = 2;
    splitMirrored(plan);
    ASSERT_TRUE(agreesOn(plan, kMirrorings, Pattern::all, 2));
  }
}

// The most buckets, and several views.
TEST_P(Contract, MostBucketsOfMirroredRecords) {
  PlanSpec plan =
      makePlan(nextOrder(), SLU_SHAPE_SPHERE, SLU_TRANSFORM_MATRIX_BIT, SLU_MATRIX_COLUMNS_3X4, SLU_MAX_BUCKETS / 4, 2);
  plan.info.key.bits = 11;
  for (SluBucket& bucket : plan.buckets) bucket.capacity = 3;
  ASSERT_EQ(plan.bucketCount(), SLU_MAX_BUCKETS);
  ASSERT_TRUE(agreesOn(plan, kMirrorings, Pattern::all, 2));
}

}  // namespace
}  // namespace slu::test
