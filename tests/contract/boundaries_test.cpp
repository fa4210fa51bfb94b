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

// What decides about a record: the reject and the LOD.
std::vector<std::uint32_t> decide(const BoundaryCase& boundary, Arithmetic::Kind kind) {
  std::vector<std::uint32_t> decisions;
  for (std::uint32_t i = 0; i < boundary.input.count; ++i) {
    const std::uint8_t* record = &boundary.input.records[std::size_t{i} * boundary.plan.info.recordStride];
    const Ball ball = boundsOf(boundary.plan, record, record, {kind});
    decisions.push_back(cull(boundary.plan, boundary.view, ball, {kind}) * SLU_MAX_LODS +
                        lodOf(boundary.plan, boundary.view, ball, {kind}));
  }
  return decisions;
}

TEST_P(Contract, DecidesAlikeOnTheBoundaries) {
  constexpr std::uint32_t kSpheres = 10'000;
  for (const Boundary boundary : kBoundaries) {
    for (const SluFlags transform : kTransforms) {
      const BoundaryCase test = makeBoundaryCase(boundary, transform, nextOrder(), kSpheres, random);
      SceneBuilder builder(random);
      FrameSpec frame = builder.makeFrame(builder.addPlan(test.plan), test.input);
      frame.views = {test.view};
      builder.addFrame(frame);
      ASSERT_TRUE(agrees(machine(), builder.finish()))
          << "; boundary " << static_cast<int>(boundary) << ", " << describe(test.plan);
    }
  }
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
      SceneBuilder builder(random);
      FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
      SluView& view = frame.views[0];
      view = {};
      for (float(&plane)[4] : view.planes) plane[3] = 1e6f;
      view.maxDistance = kInfinity;
      builder.addFrame(frame);
      const Scene scene = builder.finish();
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(Trial(machine(), scene).run(memories)) << "; " << describe(plan);
      SluStatistics statistics;
      std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset], sizeof(statistics));
      EXPECT_EQ(statistics.rejectedCount[SLU_REJECT_INVALID], expected) << describe(plan);
      EXPECT_EQ(statistics.keptCount, kCount - expected) << describe(plan);
    }
  }
}

// Proves that the boundaries' test can fail: contracted or reordered arithmetic decides about some of its spheres otherwise.
TEST(Boundaries, WouldNoticeOtherArithmetic) {
  SCOPED_TRACE(describeSeed());
  constexpr std::uint32_t kSpheres = 10'000;
  Random random;
  for (const Boundary boundary : kBoundaries) {
    for (const SluFlags transform : kTransforms) {
      const BoundaryCase test = makeBoundaryCase(boundary, transform, SLU_ORDER_STABLE, kSpheres, random);
      const std::vector<std::uint32_t> exact = decide(test, Arithmetic::exact);
      for (const Arithmetic::Kind kind : {Arithmetic::contracted, Arithmetic::reordered}) {
        const std::vector<std::uint32_t> other = decide(test, kind);
        std::uint32_t differences = 0;
        for (std::uint32_t i = 0; i < kSpheres; ++i) differences += exact[i] != other[i];
        EXPECT_GT(differences, 0u) << "boundary " << static_cast<int>(boundary) << ", transform " << transform
                                   << ", arithmetic " << kind;
      }
      std::uint32_t kept = 0;
      for (const std::uint32_t decision : exact) kept += decision / SLU_MAX_LODS == SLU_REJECT_COUNT;
      if (boundary == Boundary::lod) continue;
      constexpr std::uint32_t kSome = kSpheres / 100;
      EXPECT_GT(kept, kSome) << "boundary " << static_cast<int>(boundary);
      EXPECT_LT(kept, kSpheres - kSome) << "boundary " << static_cast<int>(boundary);
    }
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
  if (fails(radius - double{view.minSizeRatio} * distance)) return SLU_REJECT_SIZE;
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
  for (const SluView& view : makeViews(plan, 8, random)) {
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
    EXPECT_GT(counts[reject], 0u) << "no record meets reject " << reject;
  }
}

}  // namespace
}  // namespace slu::test
