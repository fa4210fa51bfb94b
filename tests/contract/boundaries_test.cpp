// The arithmetic that decides, where the last bit decides.
#include "boundaries.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "contract.h"
#include "floats.h"
#include "oracle.h"

namespace slu::test {
namespace {

constexpr SluFlags kAllTransforms = SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT;
constexpr SluFlags kTransforms[] = {0, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_ROTATION_BIT, kAllTransforms};

// Of volumes: spheres that a scale per axis or a matrix moves, and boxes.
constexpr SluFlags kAllWithAxes =
    SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT;
constexpr Motion kVolumes[] = {{kAllWithAxes, SLU_SHAPE_SPHERE},
                               {SLU_TRANSFORM_MATRIX_BIT, SLU_SHAPE_SPHERE, SLU_MATRIX_COLUMNS_3X4},
                               {0, SLU_SHAPE_BOX},
                               {kAllTransforms, SLU_SHAPE_BOX},
                               {SLU_TRANSFORM_MATRIX_BIT, SLU_SHAPE_BOX, SLU_MATRIX_ROWS},
                               {0, SLU_SHAPE_CORNERS},
                               {kAllWithAxes, SLU_SHAPE_CORNERS},
                               {SLU_TRANSFORM_MATRIX_BIT, SLU_SHAPE_CORNERS, SLU_MATRIX_COLUMNS_4X4}};

// What decides about a record: the reject and the LOD.
std::vector<std::uint32_t> decide(const BoundaryCase& boundary, Arithmetic::Kind kind) {
  std::vector<std::uint32_t> decisions;
  for (std::uint32_t i = 0; i < boundary.input.count; ++i) {
    const std::uint8_t* record = &boundary.input.records[std::size_t{i} * boundary.plan.info.recordStride];
    const World world = boundsOf(boundary.plan, record, record, {kind});
    decisions.push_back(cull(boundary.plan, boundary.view, world, {kind}) * SLU_MAX_LODS +
                        lodOf(boundary.plan, boundary.view, world, {kind}));
  }
  return decisions;
}

testing::AssertionResult decidesAlike(Machine& machine, const BoundaryCase& test, Random& random) {
  SceneBuilder builder(random);
  FrameSpec frame = builder.makeFrame(builder.addPlan(test.plan), test.input);
  frame.views = {test.view};
  builder.addFrame(frame);
  return agrees(machine, builder.finish());
}

TEST_P(Contract, DecidesAlikeOnTheBoundaries) {
  constexpr std::uint32_t kSpheres = 10'000;
  for (const Boundary boundary : kBoundaries) {
    for (const SluFlags transform : kTransforms) {
      const BoundaryCase test = makeBoundaryCase(boundary, {transform}, nextOrder(), kSpheres, random);
      ASSERT_TRUE(decidesAlike(machine(), test, random))
          << "; boundary " << static_cast<int>(boundary) << ", " << describe(test.plan);
    }
  }
}

// On the Vulkan route, which may compile a second for each plan, at each boundary one kind of volume.
TEST_P(Contract, DecidesAlikeOnTheBoundariesOfVolumes) {
  constexpr std::uint32_t kCount = 5000;
  for (const Boundary boundary : kBoundaries) {
    const Motion& one = kVolumes[random.below(std::size(kVolumes))];
    for (const Motion& motion : kVolumes) {
      if (machine().route() == SLU_ROUTE_VULKAN && &motion != &one) continue;
      const BoundaryCase test = makeBoundaryCase(boundary, motion, nextOrder(), kCount, random);
      ASSERT_TRUE(decidesAlike(machine(), test, random))
          << "; boundary " << static_cast<int>(boundary) << ", " << describe(test.plan);
    }
  }
}

// Expects that so many records are rejected as invalid, by a view that lets all others pass.
void expectInvalid(Machine& machine, const PlanSpec& plan, const Input& input, std::uint32_t expected, Random& random) {
  SceneBuilder builder(random);
  FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
  SluView& view = frame.views[0];
  view = {};
  for (float(&plane)[4] : view.planes) plane[3] = 1e6f;
  view.maxDistance = kInfinity;
  builder.addFrame(frame);
  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  ASSERT_TRUE(Trial(machine, scene).run(memories)) << "; " << describe(plan);
  SluStatistics statistics;
  std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset], sizeof(statistics));
  EXPECT_EQ(statistics.rejectedCount[SLU_REJECT_INVALID], expected) << describe(plan);
  EXPECT_EQ(statistics.keptCount, input.count - expected) << describe(plan);
}

// In every combination of tests, with levels of detail or without: radii below 0 are invalid, -0 and a negative scale are
// not. The records differ in nothing else, and the view lets all of them pass.
TEST_P(Contract, NegativeRadiiAreInvalid) {
  constexpr float kLargest = std::numeric_limits<float>::max();
  constexpr float kValid[] = {0.0f, -0.0f, 1e-30f, 1.0f, kLargest / 2};
  constexpr float kInvalid[] = {-1e-30f, -1.0f, -20.0f, -kLargest / 2, kInfinity, -kInfinity, kNan, -kNan};
  constexpr std::uint32_t kCount = 3000;
  for (SluFlags cullFlags = 0; cullFlags < 8; ++cullFlags) {
    for (const SluFlags transform : kTransforms) {
      if (!takes(0.3)) continue;
      const std::uint32_t lodCount = cullFlags == 0 ? 3 : 1;
      PlanSpec plan = simplePlan(nextOrder(), 48, kCount);
      plan.info.live = {};
      addCulling(plan, cullFlags, SLU_BOUNDS_IN_RECORD, 0);
      addTransform(plan, transform, 16);
      addBuckets(plan, 1, lodCount, kCount);
      plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
      Input input = makeInput(plan, kCount, Pattern::all, random);
      std::uint32_t expected = 0;
      for (std::uint32_t i = 0; i < kCount; ++i) {
        const bool isValid = random.chance(0.5);
        const float radius =
            isValid ? kValid[random.below(std::size(kValid))] : kInvalid[random.below(std::size(kInvalid))];
        const float sphere[4] = {1.0f, 2.0f, 3.0f, radius}, position[3] = {4.0f, 5.0f, 6.0f};
        const float scale = random.pick({1.0f, -1.0f, 1.5f, -1.5f, 0.25f, -0.25f});
        std::uint8_t* record = &input.records[i * std::size_t{48}];
        std::memcpy(record, sphere, sizeof(sphere));
        const SluBounds& bounds = plan.info.bounds;
        if ((transform & SLU_TRANSFORM_POSITION_BIT) != 0) {
          std::memcpy(record + bounds.positionOffset, position, sizeof(position));
        }
        if ((transform & SLU_TRANSFORM_SCALE_BIT) != 0) {
          std::memcpy(record + bounds.scaleOffset, &scale, sizeof(scale));
        }
        expected += isValid ? 0 : 1;
      }
      ASSERT_NO_FATAL_FAILURE(expectInvalid(machine(), plan, input, expected, random));
    }
  }
}

// A volume of which one number decides whether it is valid: the radius or an extent, or an entry of the matrix.
struct Judged {
  BoxBytes bounds;
  float transform[kMostTransformBytes / 4];
};

constexpr float kValidSizes[] = {0.0f, -0.0f, 1e-30f, 1.0f, 1e18f};
constexpr float kInvalidSizes[] = {-1e-30f, -1.0f, -20.0f, -1e20f, 1e20f, kInfinity, -kInfinity, kNan, -kNan};

// Columns so long that their squares are infinite, and whose dot products are NaN: infinity less infinity.
constexpr Linear kTooLong[] = {{{{1, 1e20f, 1e20f}, {0, 1e20f, -1e20f}, {0, 0, 0}}},
                               {{{1e20f, 1, 1e20f}, {1e20f, 0, -1e20f}, {0, 0, 0}}},
                               {{{1e20f, 1e20f, 1}, {1e20f, -1e20f, 0}, {0, 0, 0}}},
                               {{{0, 0, 1e20f}, {0, 0, 0}, {0, 0, 1}}},
                               {{{1, 0, 0}, {0, kNan, 0}, {0, 0, 1}}}};

Judged makeJudged(const SluBounds& bounds, bool isValid, Random& random) {
  Judged judged{{{0, 0, 0}, {1, 1, 1}}, {}};
  const bool isSphere = bounds.shape == SLU_SHAPE_SPHERE;
  const bool isMatrix = (bounds.transformFlags & SLU_TRANSFORM_MATRIX_BIT) != 0;
  const bool byMatrix = !isValid && isMatrix && random.chance(0.5);
  if (!byMatrix) {
    const float size = isValid ? kValidSizes[random.below(std::size(kValidSizes))]
                               : kInvalidSizes[random.below(std::size(kInvalidSizes))];
    const std::uint32_t axis = isSphere ? 0 : random.below(3);
    judged.bounds.second[axis] = size;
    if (bounds.shape == SLU_SHAPE_CORNERS) {
      judged.bounds.first[axis] = -size;
      for (std::uint32_t i = 1; i < 3; ++i) judged.bounds.first[(axis + i) % 3] = -1;
    }
  }
  auto* bytes = reinterpret_cast<std::uint8_t*>(&judged);
  if (isMatrix) {
    constexpr float kNowhere[3] = {};
    const Linear mirrored = {{{-1, 0, 0}, {0, 0.5f, 0}, {0, 0.25f, 1.5f}}};
    const Linear& linear = byMatrix ? kTooLong[random.below(std::size(kTooLong))] : mirrored;
    storeMatrix(bytes + bounds.matrixOffset, bounds.matrixForm, linear, kNowhere);
  } else if ((bounds.transformFlags & SLU_TRANSFORM_AXIS_SCALE_BIT) != 0) {
    constexpr float kAxes[3] = {1.5f, -1.0f, 0.25f};
    constexpr float kNone[4] = {0, 0, 0, 1};
    std::memcpy(bytes + bounds.scaleOffset, kAxes, sizeof(kAxes));
    std::memcpy(bytes + bounds.rotationOffset, kNone, sizeof(kNone));
  }
  return judged;
}

// The view lets all valid ones pass. Each combination meets some of the tests, or levels of detail alone.
TEST_P(Contract, InvalidVolumes) {
  constexpr std::uint32_t kCount = 1000;
  for (const Motion& motion : kVolumes) {
    if (!takes(0.4)) continue;
    const SluFlags cullFlags = random.below(8);
    PlanSpec plan = simplePlan(nextOrder(), sizeof(Judged), kCount);
    plan.info.live = {};
    addCulling(plan, cullFlags, SLU_BOUNDS_IN_RECORD, 0, motion.shape);
    const bool isScaled = (motion.transformFlags & SLU_TRANSFORM_SCALE_BIT) != 0;
    addTransform(plan, isScaled ? 0 : motion.transformFlags, sizeof(BoxBytes), motion.form);
    addBuckets(plan, 1, cullFlags == 0 ? 3 : 1, kCount);
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
    Input input = makeInput(plan, kCount, Pattern::all, random);
    std::uint32_t expected = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const bool isValid = random.chance(0.5);
      const Judged judged = makeJudged(plan.info.bounds, isValid, random);
      std::memcpy(&input.records[i * sizeof(Judged)], &judged, sizeof(judged));
      expected += isValid ? 0 : 1;
    }
    ASSERT_NO_FATAL_FAILURE(expectInvalid(machine(), plan, input, expected, random));
  }
}

// Proves that the boundaries' tests can fail: contracted or reordered arithmetic decides about some records otherwise.
void expectNoticed(Boundary boundary, const Motion& motion, Random& random) {
  constexpr std::uint32_t kCount = 10'000;
  SCOPED_TRACE(testing::Message() << "boundary " << static_cast<int>(boundary) << ", shape " << motion.shape
                                  << ", transform " << motion.transformFlags);
  const BoundaryCase test = makeBoundaryCase(boundary, motion, SLU_ORDER_STABLE, kCount, random);
  const std::vector<std::uint32_t> exact = decide(test, Arithmetic::exact);
  for (const Arithmetic::Kind kind : {Arithmetic::contracted, Arithmetic::reordered}) {
    const std::vector<std::uint32_t> other = decide(test, kind);
    std::uint32_t differences = 0;
    for (std::uint32_t i = 0; i < kCount; ++i) differences += exact[i] != other[i];
    EXPECT_GT(differences, 0u) << "arithmetic " << kind;
  }
  std::uint32_t kept = 0;
  for (const std::uint32_t decision : exact) kept += decision / SLU_MAX_LODS == SLU_REJECT_COUNT;
  if (boundary == Boundary::lod) return;
  constexpr std::uint32_t kSome = kCount / 100;
  EXPECT_GT(kept, kSome);
  EXPECT_LT(kept, kCount - kSome);
}

TEST(Boundaries, WouldNoticeOtherArithmetic) {
  SCOPED_TRACE(describeSeed());
  Random random;
  for (const Boundary boundary : kBoundaries) {
    for (const SluFlags transform : kTransforms) expectNoticed(boundary, {transform}, random);
    for (const Motion& motion : kVolumes) expectNoticed(boundary, motion, random);
  }
}

// The world center in double, by the rotation matrix instead of the quaternion's cross products.
void placeInDouble(const PlanSpec& plan, const std::uint8_t* record, const std::uint8_t* sphere, double center[3],
                   double& radius) {
  const SluBounds& bounds = plan.info.bounds;
  const auto load = [](const std::uint8_t* bytes, std::uint32_t offset, std::uint32_t index) {
    float value;
    std::memcpy(&value, bytes + offset + index * std::size_t{4}, sizeof(value));
    return double{value};
  };
  const bool scales = (bounds.transformFlags & SLU_TRANSFORM_SCALE_BIT) != 0;
  const bool rotates = (bounds.transformFlags & SLU_TRANSFORM_ROTATION_BIT) != 0;
  const bool moves = (bounds.transformFlags & SLU_TRANSFORM_POSITION_BIT) != 0;
  const double scale = scales ? load(record, bounds.scaleOffset, 0) : 1.0;
  double q[4] = {0, 0, 0, 1}, v[3];
  for (std::uint32_t i = 0; i < 3; ++i) v[i] = load(sphere, bounds.offset, i) * scale;
  for (std::uint32_t i = 0; rotates && i < 4; ++i) q[i] = load(record, bounds.rotationOffset, i);
  const double matrix[3][3] = {
      {1 - 2 * (q[1] * q[1] + q[2] * q[2]), 2 * (q[0] * q[1] - q[3] * q[2]), 2 * (q[0] * q[2] + q[3] * q[1])},
      {2 * (q[0] * q[1] + q[3] * q[2]), 1 - 2 * (q[0] * q[0] + q[2] * q[2]), 2 * (q[1] * q[2] - q[3] * q[0])},
      {2 * (q[0] * q[2] - q[3] * q[1]), 2 * (q[1] * q[2] + q[3] * q[0]), 1 - 2 * (q[0] * q[0] + q[1] * q[1])}};
  for (std::uint32_t i = 0; i < 3; ++i) {
    center[i] = moves ? load(record, bounds.positionOffset, i) : 0.0;
    for (std::uint32_t j = 0; j < 3; ++j) center[i] += matrix[i][j] * v[j];
  }
  radius = std::fabs(scale) * load(sphere, bounds.offset, 3);
}

// The reject by the header's words; undecided when any test is closer than a thousandth.
std::uint32_t cullInDouble(const SluView& view, const double center[3], double radius, bool& undecided) {
  double distance2 = 0;
  for (int i = 0; i < 3; ++i) distance2 += (center[i] - double{view.eye[i]}) * (center[i] - double{view.eye[i]});
  const double distance = std::sqrt(distance2);
  constexpr double kLargest = std::numeric_limits<float>::max();
  if (!std::isfinite(distance) || distance > 1e18 || !(radius >= 0 && radius <= kLargest)) return SLU_REJECT_INVALID;
  const auto fails = [&](double margin) {
    undecided = undecided || std::fabs(margin) < 1e-3;
    return margin < 0;
  };
  if (fails(distance - double{view.minDistance})) return SLU_REJECT_DISTANCE;
  if (std::isfinite(view.maxDistance) && fails(double{view.maxDistance} - distance)) return SLU_REJECT_DISTANCE;
  for (const float(&plane)[4] : view.planes) {
    double margin = double{plane[3]} + radius;
    for (int i = 0; i < 3; ++i) margin += double{plane[i]} * center[i];
    if (fails(margin)) return SLU_REJECT_FRUSTUM;
  }
  const double depth = (view.flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0 ? 1.0 : distance;
  if (fails(radius - double{view.minSizeRatio} * depth)) return SLU_REJECT_SIZE;
  return SLU_REJECT_COUNT;
}

// Away from the boundaries the oracle says what the header says.
TEST(Boundaries, OracleMeansWhatTheHeaderSays) {
  SCOPED_TRACE(describeSeed());
  Random random;
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 48, 20'000);
  addCulling(plan, SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_IN_RECORD, 0);
  addTransform(plan, kAllTransforms, 16);
  const Input input = makeInput(plan, plan.info.maxRecordCount, Pattern::all, random);
  std::uint32_t counts[SLU_REJECT_COUNT + 1] = {};
  for (const SluView& view : makeViews(plan, 24, random)) {
    for (std::uint32_t i = 0; i < input.count; ++i) {
      const std::uint8_t* record = &input.records[std::size_t{i} * plan.info.recordStride];
      double center[3], radius = 0;
      placeInDouble(plan, record, record, center, radius);
      bool undecided = false;
      const std::uint32_t expected = cullInDouble(view, center, radius, undecided);
      const std::uint32_t actual = cull(plan, view, boundsOf(plan, record, record));
      if (!undecided) {
        ASSERT_EQ(actual, expected) << "record " << i << " at " << center[0] << ", " << center[1] << ", " << center[2];
        ++counts[actual];
      }
    }
  }
  for (std::uint32_t reject = SLU_REJECT_INVALID; reject <= SLU_REJECT_COUNT; ++reject) {
    // There are no meshes, no layers, no pyramid and no cones.
    if (reject == SLU_REJECT_LOD || reject == SLU_REJECT_LAYER) continue;
    if (reject >= SLU_REJECT_OCCLUDED && reject <= SLU_REJECT_CONE) continue;
    EXPECT_GT(counts[reject], 0u) << "no record meets reject " << reject;
  }
}

}  // namespace
}  // namespace slu::test
