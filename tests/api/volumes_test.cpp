// Volumes against geometry in doubles, which shares no formula with the library: how far a moved sphere or box reaches
// across a plane is the most of its points. What touches the frustum is kept, however the matrix shears or mirrors, and
// what is farther outside than the header's bounds reach is dropped.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "inputs.h"
#include "machine.h"
#include "plans.h"
#include "random.h"
#include "scene_builder.h"

namespace slu::test {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;  // rows

double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Triple times(const Matrix& m, const Triple& v) { return {dot(m[0], v), dot(m[1], v), dot(m[2], v)}; }

Triple timesTransposed(const Matrix& m, const Triple& v) {
  Triple result{};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column) result[column] += m[row][column] * v[row];
  }
  return result;
}

double length(const Triple& v) { return std::sqrt(dot(v, v)); }

// The most that a unit vector is stretched, by power iteration from each axis.
double largestSingularValue(const Matrix& m) {
  double largest = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Triple v{};
    v[axis] = 1;
    for (int step = 0; step < 200; ++step) {
      const Triple next = timesTransposed(m, times(m, v));
      const double norm = length(next);
      if (norm == 0) break;
      for (std::size_t i = 0; i < 3; ++i) v[i] = next[i] / norm;
    }
    largest = std::max(largest, length(times(m, v)));
  }
  return largest;
}

// A record's floats, and what they mean.
struct Body {
  float bounds[6] = {};
  Linear linear{};
  float translation[3] = {};
  float scale[3] = {};
  Quaternion rotation{};

  bool isSphere = true;
  Matrix matrix{};
  Triple center{};   // in the world
  Triple extents{};  // of a box, in the space of the mesh
  double radius = 0;
  double stretch = 0;  // the matrix's largest singular value

  // The most that any point of the body is farther along a direction than its center.
  double reach(const Triple& direction) const {
    if (isSphere) return radius * length(timesTransposed(matrix, direction));
    double most = 0;
    for (std::uint32_t corner = 0; corner < 8; ++corner) most = std::max(most, dot(direction, toCorner(corner)));
    return most;
  }

  // The same of what the header tests: a sphere of the largest radius times `slack`, or the box along the world's axes.
  double boundedReach(const Triple& direction, double slack) const {
    if (isSphere) return radius * stretch * slack;
    Triple sides{};
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
      const Triple point = toCorner(corner);
      for (std::size_t i = 0; i < 3; ++i) sides[i] = std::max(sides[i], std::fabs(point[i]));
    }
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += std::fabs(direction[i]) * sides[i];
    return sum;
  }

 private:
  Triple toCorner(std::uint32_t corner) const {
    Triple point = extents;
    for (std::size_t i = 0; i < 3; ++i) {
      if ((corner >> i & 1) != 0) point[i] = -point[i];
    }
    return times(matrix, point);
  }
};

Matrix matrixOf(const Quaternion& q) {
  const double x = double{q.x}, y = double{q.y}, z = double{q.z}, w = double{q.w};
  return {{{w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)},
           {2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)},
           {2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z}}};
}

constexpr std::uint32_t kBodies = 400, kRounds = 25, kBoundsBytes = 24;

class Volumes : public testing::Test {
 protected:
  Body makeBody(SluBoundsShape shape, bool isOrthogonal) {
    Body body;
    body.isSphere = shape == SLU_SHAPE_SPHERE;
    body.linear = makeLinear(random);
    body.rotation = makeRotation(random);
    for (std::size_t i = 0; i < 3; ++i) {
      body.bounds[i] = random.uniform(-4.0f, 4.0f);
      body.bounds[i + 3] = random.uniform(0.0f, 12.0f) + (shape == SLU_SHAPE_CORNERS ? body.bounds[i] : 0.0f);
      body.scale[i] = random.uniform(-2.0f, 2.0f);
      body.translation[i] = random.uniform(-120.0f, 120.0f);
    }
    const Matrix turned = matrixOf(body.rotation);
    Triple middle{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double first = double{body.bounds[i]}, second = double{body.bounds[i + 3]};
      middle[i] = shape == SLU_SHAPE_CORNERS ? (first + second) / 2 : first;
      body.extents[i] = shape == SLU_SHAPE_CORNERS ? (second - first) / 2 : second;
      for (std::size_t j = 0; j < 3; ++j) {
        body.matrix[i][j] = isOrthogonal ? turned[i][j] * double{body.scale[j]} : double{body.linear.rows[i][j]};
      }
    }
    body.radius = double{body.bounds[3]};
    body.stretch = largestSingularValue(body.matrix);
    body.center = times(body.matrix, middle);
    for (std::size_t i = 0; i < 3; ++i) body.center[i] += double{body.translation[i]};
    return body;
  }

  // Whether each body is kept by the frustum test of the CPU route.
  std::vector<bool> cull(SluBoundsShape shape, bool isOrthogonal, const std::vector<Body>& bodies, SluView& view) {
    PlanSpec plan = simplePlan(SLU_ORDER_STABLE, kBoundsBytes + kMostTransformBytes, kBodies);
    plan.info.live = {};
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 0, shape);
    addTransform(plan,
                 isOrthogonal ? SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT
                              : SLU_TRANSFORM_MATRIX_BIT,
                 kBoundsBytes, random.pick({SLU_MATRIX_ROWS, SLU_MATRIX_COLUMNS_4X4, SLU_MATRIX_COLUMNS_3X4}));
    Input input = makeInput(plan, kBodies, Pattern::all, random);
    const SluBounds& bounds = plan.info.bounds;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      const Body& body = bodies[i];
      std::uint8_t* record = &input.records[i * plan.info.recordStride];
      std::memcpy(record, body.bounds, boundsBytes(shape));
      if (isOrthogonal) {
        std::memcpy(record + bounds.positionOffset, body.translation, sizeof(body.translation));
        std::memcpy(record + bounds.scaleOffset, body.scale, sizeof(body.scale));
        std::memcpy(record + bounds.rotationOffset, &body.rotation, sizeof(body.rotation));
      } else {
        storeMatrix(record + bounds.matrixOffset, bounds.matrixForm, body.linear, body.translation);
      }
    }
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
    view = frame.views.front();
    builder.addFrame(frame);
    std::vector<Bytes> memories = builder.finish().memories;
    HostFrames(machine_->context(), memories).run(machine_->plan(plan), frame);
    SluStatistics statistics;
    std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset], sizeof(statistics));
    std::vector<bool> isKept(bodies.size());
    for (std::uint32_t i = 0; i < statistics.keptCount; ++i) {
      std::uint32_t index;
      std::memcpy(&index, &memories[frame.indices.memory][frame.indices.offset + i * std::size_t{4}], sizeof(index));
      isKept.at(index) = true;
    }
    return isKept;
  }

  // slack: how much larger than the largest singular value says a sphere may be taken.
  void expectBounded(SluBoundsShape shape, bool isOrthogonal, double slack) {
    std::uint32_t touchingCount = 0, outsideCount = 0;
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      std::vector<Body> bodies;
      for (std::uint32_t i = 0; i < kBodies; ++i) bodies.push_back(makeBody(shape, isOrthogonal));
      SluView view{};
      const std::vector<bool> isKept = cull(shape, isOrthogonal, bodies, view);
      for (std::size_t i = 0; i < bodies.size(); ++i) {
        bool touches = true, isFarOutside = false;
        for (const float(&plane)[4] : view.planes) {
          const Triple normal = {double{plane[0]}, double{plane[1]}, double{plane[2]}};
          const double distance = dot(normal, bodies[i].center) + double{plane[3]};
          const double reach = bodies[i].reach(normal), bound = bodies[i].boundedReach(normal, slack);
          touches = touches && distance + reach > 1e-3 * std::max(1.0, reach);
          isFarOutside = isFarOutside || distance + bound < -1e-3 * std::max(1.0, bound);
        }
        ASSERT_TRUE(isKept[i] || !touches) << "body " << i << " touches the frustum and is dropped";
        ASSERT_FALSE(isKept[i] && isFarOutside) << "body " << i << " is kept, and is outside by more than its bound";
        touchingCount += touches ? 1 : 0;
        outsideCount += isFarOutside ? 1 : 0;
      }
    }
    constexpr std::uint32_t kSome = kRounds * kBodies / 50;
    EXPECT_GT(touchingCount, kSome);
    EXPECT_GT(outsideCount, kSome);
  }

  Random random;

 private:
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
  std::unique_ptr<Machine> machine_ = makeCpuMachine();
};

// transpose(M) * M has no negative eigenvalue, and its largest row sum is convex. So among those whose largest eigenvalue
// is 1, projections have the largest sum. A row of a projection is p, and two numbers whose squares add up to p - p * p.
// Its sum is at most p + sqrt(2 * (p - p * p)), and the most of that is (1 + sqrt(3)) / 2.
TEST_F(Volumes, SpheresUnderAnyMatrix) { expectBounded(SLU_SHAPE_SPHERE, false, std::sqrt((1 + std::sqrt(3.0)) / 2)); }

TEST_F(Volumes, SpheresAreExactUnderAScalePerAxis) { expectBounded(SLU_SHAPE_SPHERE, true, 1.0); }

TEST_F(Volumes, BoxesUnderAnyTransform) {
  for (const SluBoundsShape shape : {SLU_SHAPE_BOX, SLU_SHAPE_CORNERS}) {
    for (const bool isOrthogonal : {false, true}) ASSERT_NO_FATAL_FAILURE(expectBounded(shape, isOrthogonal, 1.0));
  }
}

}  // namespace
}  // namespace slu::test
