// Cones of clusters: against the oracle, and against triangles in doubles.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kClusters = 2000;

// How many clusters of all views are kept, and how many face away.
struct Clusters {
  std::uint32_t kept = 0, turnedAway = 0;
};

// Runs a frame, and adds up its clusters. Returns whether it agrees with the oracle.
testing::AssertionResult agreesOnClusters(Machine& machine, const PlanSpec& plan, Random& random, Clusters& sums) {
  SceneBuilder builder(random);
  const FrameSpec frame =
      builder.makeFrame(builder.addPlan(plan), makeInput(plan, kClusters, Pattern::half, random), 2);
  builder.addFrame(frame);
  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  testing::AssertionResult agrees = Trial(machine, scene).run(memories);
  if (!agrees) return agrees << "; " << describe(plan);
  for (std::uint32_t view = 0; view < 2; ++view) {
    SluStatistics statistics;
    std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset + view * sizeof(statistics)],
                sizeof(statistics));
    sums.turnedAway += statistics.rejectedCount[SLU_REJECT_CONE];
    sums.kept += statistics.demandedCount;
  }
  return testing::AssertionSuccess();
}

// The same, and requires that the frame has clusters of both kinds.
testing::AssertionResult turnsAway(Machine& machine, const PlanSpec& plan, Random& random) {
  Clusters sums;
  const testing::AssertionResult agrees = agreesOnClusters(machine, plan, random, sums);
  if (!agrees || (sums.turnedAway > 0 && sums.kept > 0)) return agrees;
  return testing::AssertionFailure() << sums.turnedAway << " are rejected and " << sums.kept << " are kept; "
                                     << describe(plan);
}

PlanSpec makeConesPlan(SluOrder order, SluBoundsSource source) {
  PlanSpec plan = simplePlan(order, 112, kClusters);
  plan.info.maxViewCount = 2;
  addCulling(plan, SLU_CULL_DISTANCE_BIT, source, source == SLU_BOUNDS_IN_RECORD ? 8 : 0);
  return plan;
}

TEST_P(Contract, ConesOfEveryTransform) {
  for (const SluFlags transform : everyTransform()) {
    for (const SluOrder order : kOrders) {
      if (!takes(0.15)) continue;
      PlanSpec plan = makeConesPlan(order, SLU_BOUNDS_IN_RECORD);
      addTransform(plan, transform, 40, random.pick({SLU_MATRIX_ROWS, SLU_MATRIX_COLUMNS_4X4, SLU_MATRIX_COLUMNS_3X4}));
      if (transform != SLU_TRANSFORM_MATRIX_BIT) plan.info.bounds.matrixForm = SLU_MATRIX_ROWS;
      addCones(plan, 24, random.below(2));
      ASSERT_TRUE(turnsAway(machine(), plan, random));
    }
  }
}

// A frame may have few elements, and one cluster alone may be turned away in no view.
TEST_P(Contract, ConesOfEverySource) {
  Clusters sums;
  for (const SluBoundsSource source :
       {SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY, SLU_BOUNDS_CONSTANT, SLU_BOUNDS_IN_MESH}) {
    for (const SluOrder order : kOrders) {
      if (!takes(0.3)) continue;
      PlanSpec plan = makeConesPlan(order, source);
      addTransformStream(plan, SLU_TRANSFORM_POSITION_BIT | SLU_TRANSFORM_SCALE_BIT | SLU_TRANSFORM_ROTATION_BIT, 4);
      addBuckets(plan, 40, 1, kClusters, 4);
      plan.info.key.bits = 6;  // with keys that are unknown
      if (source == SLU_BOUNDS_IN_MESH) addMeshes(plan, SLU_MESH_LOD_MASK_BIT);
      addCones(plan, source == SLU_BOUNDS_IN_RECORD ? 24 : 4 * random.between(4, 7), random.below(2));
      if (source == SLU_BOUNDS_PER_RECORD) {
        addIndices(plan, SLU_INDEXED_BOUNDS_BIT, 8);
        addIndices(plan, SLU_INDEXED_TRANSFORMS_BIT, 12);
      }
      ASSERT_TRUE(agreesOnClusters(machine(), plan, random, sums));
    }
  }
  EXPECT_GT(sums.kept, 0u);
  EXPECT_GT(sums.turnedAway, 0u);
}

// With LODs, layers, marks, records that mirror, packed buckets and a command per record.
TEST_P(Contract, ConesAmongOtherFeatures) {
  enum class Kind { plain, packed, merged };
  for (const SluOrder order : kOrders) {
    for (const Kind kind : {Kind::plain, Kind::packed, Kind::merged}) {
      if (!takes(0.3)) continue;
      PlanSpec plan = makeConesPlan(order, SLU_BOUNDS_IN_RECORD);
      addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, 40);
      addCones(plan, 24, random.below(2));
      addBuckets(plan, 5, random.pick({1u, 3u}), kClusters, 4);
      plan.info.key.bits = 3;
      addMarks(plan, 88, false, random);
      if (random.chance(0.5)) addLayers(plan, 88, false);
      if (random.chance(0.5)) splitMirrored(plan);
      if (kind != Kind::plain) addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, 0, random);
      if (kind == Kind::packed) packBuckets(plan, kClusters);
      if (kind == Kind::merged) mergePlan(plan, kClusters, 2);
      ASSERT_TRUE(turnsAway(machine(), plan, random));
    }
  }
}

using Vector = std::array<double, 3>;

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dotOf(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector crossOf(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unitOf(const Vector& a) {
  const double length = std::sqrt(dotOf(a, a));
  return {a[0] / length, a[1] / length, a[2] / length};
}

// Triangles of a cluster, in the space of its mesh.
struct Cluster {
  std::vector<std::array<Vector, 3>> triangles;
  float sphere[4];
  float cone[4];
};

// Triangles around a center whose normals deviate from an axis by an angle at most, as meshoptimizer describes them: the
// cutoff is the sine of the angle.
Cluster makeCluster(Random& random) {
  const auto any = [&](double size) {
    Vector v;
    for (double& part : v) part = size * random.uniform(-1.0f, 1.0f);
    return v;
  };
  Cluster cluster;
  const Vector center = any(3.0), axis = unitOf(any(1.0));
  const double angle = random.uniform(0.0f, 1.0f);
  double radius2 = 0.0, deviation = 0.0;
  for (std::uint32_t i = random.between(1, 12); i > 0; --i) {
    // A normal near the axis, and a triangle that winds around it counterclockwise.
    const Vector aside = unitOf(crossOf(axis, any(1.0)));
    const double turn = angle * random.uniform(0.0f, 1.0f);
    Vector normal;
    for (int k = 0; k < 3; ++k) normal[k] = std::cos(turn) * axis[k] + std::sin(turn) * aside[k];
    const Vector u = unitOf(crossOf(normal, any(1.0))), v = crossOf(normal, u), origin = any(1.0);
    std::array<Vector, 3> triangle;
    for (int corner = 0; corner < 3; ++corner) {
      const double around = corner * 2.094 + random.uniform(-0.5f, 0.5f), size = random.uniform(0.1f, 1.0f);
      for (int k = 0; k < 3; ++k) {
        const double at = center[k] + origin[k] + size * (std::cos(around) * u[k] + std::sin(around) * v[k]);
        triangle[corner][k] = static_cast<float>(at);
      }
      const Vector from = triangle[corner] - center;
      radius2 = std::max(radius2, dotOf(from, from));
    }
    const Vector made = unitOf(crossOf(triangle[1] - triangle[0], triangle[2] - triangle[0]));
    deviation = std::max(deviation, std::acos(std::clamp(dotOf(made, axis), -1.0, 1.0)));
    cluster.triangles.push_back(triangle);
  }
  for (int k = 0; k < 3; ++k) {
    cluster.sphere[k] = static_cast<float>(center[k]);
    cluster.cone[k] = static_cast<float>(axis[k]);
  }
  cluster.sphere[3] = static_cast<float>(std::sqrt(radius2)) * 1.000001f;
  cluster.cone[3] = deviation < 1.5 ? static_cast<float>(std::sin(deviation)) : 1.0f;
  return cluster;
}

// How many triangles of a cluster a view sees the front of. matrix: by rows.
std::uint32_t facingCount(const Cluster& cluster, const float (&matrix)[12], const SluView& view, bool hasFixedFront) {
  const auto row = [&](int k) { return Vector{matrix[4 * k], matrix[4 * k + 1], matrix[4 * k + 2]}; };
  const bool isMirrored = dotOf(row(0), crossOf(row(1), row(2))) < 0.0;
  const bool isFlat = (view.flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0;
  const Vector eye = {view.eye[0], view.eye[1], view.eye[2]};
  std::uint32_t count = 0;
  for (const std::array<Vector, 3>& triangle : cluster.triangles) {
    std::array<Vector, 3> moved;
    for (int corner = 0; corner < 3; ++corner) {
      for (int k = 0; k < 3; ++k) moved[corner][k] = dotOf(row(k), triangle[corner]) + double{matrix[4 * k + 3]};
    }
    Vector normal = crossOf(moved[1] - moved[0], moved[2] - moved[0]);
    if (isMirrored && !hasFixedFront) normal = Vector{} - normal;
    const Vector to = isFlat ? Vector{view.direction[0], view.direction[1], view.direction[2]} : moved[0] - eye;
    count += dotOf(normal, to) < 0.0 ? 1 : 0;
  }
  return count;
}

// Whether meshoptimizer's test rejects a cluster that a rotation and a scale move, with some margin. scale: of the transform.
bool isSurelyAway(const Cluster& cluster, const float (&matrix)[12], double scale, const SluView& view,
                  bool hasFixedFront) {
  const auto row = [&](int k) { return Vector{matrix[4 * k], matrix[4 * k + 1], matrix[4 * k + 2]}; };
  const Vector center = {cluster.sphere[0], cluster.sphere[1], cluster.sphere[2]};
  const Vector axis = {cluster.cone[0], cluster.cone[1], cluster.cone[2]};
  const double sign = scale < 0.0 && hasFixedFront ? -1.0 : 1.0;  // a negative scale turns the axis itself
  Vector to, turned;
  for (int k = 0; k < 3; ++k) {
    to[k] = dotOf(row(k), center) + double{matrix[4 * k + 3]} - double{view.eye[k]};
    turned[k] = sign * dotOf(row(k), axis) / std::abs(scale);
  }
  double radius = double{cluster.sphere[3]} * std::abs(scale);
  if ((view.flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0) {
    to = {view.direction[0], view.direction[1], view.direction[2]};
    radius = 0.0;
  }
  return cluster.cone[3] < 0.99f &&
         dotOf(to, turned) > (double{cluster.cone[3]} + 0.002) * std::sqrt(dotOf(to, to)) + radius;
}

// No cluster of which a triangle faces the eye is rejected, whatever the transform; and of those that a rotation and a
// scale move, all are rejected that meshoptimizer's own test rejects.
TEST_P(Contract, ClustersThatFaceAway) {
  constexpr std::uint32_t kSphere = 0, kCone = 16, kMatrix = 32;
  std::uint32_t rejectedCount = 0, sureCount = 0, mirroredCount = 0;
  for (const bool hasFixedFront : {false, true}) {
    PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 80, kClusters);
    plan.info.live = {};
    plan.info.maxViewCount = 2;
    addCulling(plan, 0, SLU_BOUNDS_IN_RECORD, kSphere);
    addTransform(plan, SLU_TRANSFORM_MATRIX_BIT, kMatrix);
    addCones(plan, kCone, hasFixedFront ? SLU_CONE_FIXED_FRONT_FACE_BIT : 0);
    std::vector<Cluster> clusters(kClusters);
    std::vector<double> scales(kClusters);  // of transforms that scale evenly, else 0
    Bytes records(std::size_t{kClusters} * 80);
    random.fill(records);
    for (std::uint32_t i = 0; i < kClusters; ++i) {
      clusters[i] = makeCluster(random);
      Linear linear = makeLinear(random);
      if (random.chance(0.5)) {
        const Quaternion q = makeRotation(random);
        const float scale = random.uniform(0.2f, 3.0f) * random.pick({1.0f, -1.0f});
        linear = {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
                   {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
                   {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
        for (auto& row : linear.rows) {
          for (float& entry : row) entry *= scale;
        }
        scales[i] = double{scale};
      }
      float translation[3];
      for (float& value : translation) value = random.uniform(-20.0f, 20.0f);
      std::uint8_t* record = &records[std::size_t{i} * 80];
      std::memcpy(record + kSphere, clusters[i].sphere, sizeof(clusters[i].sphere));
      std::memcpy(record + kCone, clusters[i].cone, sizeof(clusters[i].cone));
      storeMatrix(record + kMatrix, SLU_MATRIX_ROWS, linear, translation);
    }
    Input input = makeInput(plan, kClusters, Pattern::all, random);
    input.records = records;
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input, 2);
    frame.views[0].flags = 0;
    frame.views[1].flags = SLU_VIEW_ORTHOGRAPHIC_BIT;
    for (SluView& view : frame.views) {
      for (float& value : view.eye) value = random.uniform(-30.0f, 30.0f);
      const Vector direction = unitOf({random.uniform(-1.0f, 1.0f), random.uniform(-1.0f, 1.0f), 0.1});
      for (int k = 0; k < 3; ++k) view.direction[k] = static_cast<float>(direction[k]);
    }
    builder.addFrame(frame);
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories)) << describe(plan);
    for (std::uint32_t view = 0; view < 2; ++view) {
      SluStatistics statistics;
      std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset + view * sizeof(statistics)],
                  sizeof(statistics));
      std::vector<bool> isKept(kClusters);
      for (std::uint32_t i = 0; i < statistics.keptCount; ++i) {
        std::uint32_t index;
        std::memcpy(&index, &memories[frame.indices.memory][frame.indices.offset + (view * kClusters + i) * 4ull], 4);
        isKept.at(index) = true;
      }
      for (std::uint32_t i = 0; i < kClusters; ++i) {
        float matrix[12];
        std::memcpy(matrix, &records[std::size_t{i} * 80 + kMatrix], sizeof(matrix));
        rejectedCount += isKept[i] ? 0 : 1;
        ASSERT_TRUE(isKept[i] || facingCount(clusters[i], matrix, frame.views[view], hasFixedFront) == 0)
            << "cluster " << i << " of view " << view << " shows a front, fixed " << hasFixedFront;
        if (scales[i] == 0.0 || !isSurelyAway(clusters[i], matrix, scales[i], frame.views[view], hasFixedFront))
          continue;
        ++sureCount;
        mirroredCount += scales[i] < 0.0 ? 1 : 0;
        ASSERT_FALSE(isKept[i]) << "cluster " << i << " of view " << view << " faces away, fixed " << hasFixedFront;
      }
    }
  }
  EXPECT_GT(rejectedCount, 500u);
  EXPECT_GT(sureCount, 300u);
  EXPECT_GT(mirroredCount, 100u);
}

}  // namespace
}  // namespace slu::test
