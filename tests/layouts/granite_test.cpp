// Themaister/Granite: assets/shaders/meshlet_cull.comp and inc/meshlet_render.h, as they were in August 2026. The phase
// is the one without occlusion culling.
#include <cstddef>

#include "layouts.h"

namespace slu::test::granite {
namespace {

struct AABB {
  float lo[3], pad0;
  float hi[3], pad;
};
static_assert(sizeof(AABB) == 32 && offsetof(AABB, hi) == 16);

struct Bound {
  float centerRadius[4];
  float cone[4];  // axis and cutoff; there is no cone if the cutoff is 1
};
static_assert(sizeof(Bound) == 32);

struct MatAffine {
  float rows[3][4];
};
static_assert(sizeof(MatAffine) == 48);

struct MeshAssetDrawTaskInfo {
  std::uint32_t aabbInstance;
  std::uint32_t occluderStateOffset;
  std::uint32_t nodeInstance;
  std::uint32_t meshIndexCount;  // the first meshlet, a multiple of 32, and the count less 1
  std::uint32_t materialFlags;
  auto operator<=>(const MeshAssetDrawTaskInfo&) const = default;
};
static_assert(sizeof(MeshAssetDrawTaskInfo) == 20);

struct Draw {
  std::uint32_t indexCount, firstIndex;
  std::int32_t vertexOffset;
};
static_assert(sizeof(Draw) == 12);

struct CompactedDrawInfo {
  std::uint32_t meshletIndex, nodeOffset, materialFlags;
};
static_assert(sizeof(CompactedDrawInfo) == 12);

using Planes = float[6][4];

// The test of a group: its corner that is farthest inside of each plane.
bool isGroupVisible(const Planes& planes, const AABB& box, Judge& judge) {
  for (const auto& plane : planes) {
    double distance = plane[3];
    for (std::size_t i = 0; i < 3; ++i) distance += double{plane[i]} * (plane[i] > 0.0f ? box.hi[i] : box.lo[i]);
    const bool isPlane = plane[0] != 0.0f || plane[1] != 0.0f || plane[2] != 0.0f;
    if (isPlane && !judge.isInside(distance)) return false;
  }
  return true;
}

// How radii grow: Granite takes the longest column, the library a bound that holds under shear, too.
enum class Stretch { longestColumn, rowSums };

double stretchOf(const MatAffine& matrix, Stretch stretch) {
  double largest = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < 3; ++j) {
      double product = 0.0;
      for (const auto& row : matrix.rows) product += double{row[i]} * row[j];
      if (i == j || stretch == Stretch::rowSums) sum += std::fabs(product);
    }
    largest = std::max(largest, sum);
  }
  return std::sqrt(largest);
}

Vector multiply(const MatAffine& matrix, const float point[3], double w) {
  Vector moved;
  for (std::size_t i = 0; i < 3; ++i) moved[i] = dot(vectorOf(matrix.rows[i]), vectorOf(point)) + w * matrix.rows[i][3];
  return moved;
}

// The test of a meshlet. cameraPosition: null for no test of the cone.
bool isMeshletVisible(const Planes& planes, const MatAffine& matrix, const Bound& bound, const Vector* cameraPosition,
                      Stretch stretch, Judge& judge) {
  const Vector center = multiply(matrix, bound.centerRadius, 1.0);
  const double radius = bound.centerRadius[3] * stretchOf(matrix, stretch);
  if (cameraPosition != nullptr && bound.cone[3] < 1.0f) {
    const Vector axis = multiply(matrix, bound.cone, 0.0), toCenter = subtract(center, *cameraPosition);
    const double along = dot(toCenter, axis) / length(axis);
    if (!judge.isInside(bound.cone[3] * length(toCenter) + radius - along)) return false;
  }
  for (const auto& plane : planes) {
    const bool isPlane = plane[0] != 0.0f || plane[1] != 0.0f || plane[2] != 0.0f;
    if (isPlane && !judge.isInside(dot(vectorOf(plane), center) + plane[3] + radius)) return false;
  }
  return true;
}

constexpr std::uint32_t kTaskCount = 2000;
constexpr std::uint32_t kMeshletCount = 96;
constexpr std::uint32_t kNodeCount = 60;

// Left, right, near, far, top and bottom. Without a far plane its numbers are zeros.
void setPlanes(const Camera& camera, bool hasFar, Planes& planes) {
  const auto set = [&](std::size_t i, const Vector& normal, const Vector& point) {
    const double size = length(normal);
    for (std::size_t k = 0; k < 3; ++k) planes[i][k] = static_cast<float>(normal[k] / size);
    planes[i][3] = static_cast<float>(-dot(normal, point) / size);
  };
  const auto combine = [](const Vector& a, double s, const Vector& b, double t) {
    return Vector{s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]};
  };
  set(0, combine(camera.right, 1.0, camera.forward, camera.tanX), camera.eye);
  set(1, combine(camera.right, -1.0, camera.forward, camera.tanX), camera.eye);
  set(2, camera.forward, combine(camera.eye, 1.0, camera.forward, camera.nearest));
  set(3, combine(camera.forward, -1.0, {}, 0.0), combine(camera.eye, 1.0, camera.forward, camera.farthest));
  set(4, combine(camera.up, -1.0, camera.forward, camera.tanY), camera.eye);
  set(5, combine(camera.up, 1.0, camera.forward, camera.tanY), camera.eye);
  if (!hasFar) std::fill_n(planes[3], 4, 0.0f);
}

SluView makeView(const Camera& camera, const Planes& planes, bool hasFar) {
  SluView view{};
  std::copy_n(planes[0], 24, view.planes[0]);
  if (!hasFar) view.planes[3][3] = 1.0f;  // zeros are refused
  for (std::size_t i = 0; i < 3; ++i) view.eye[i] = static_cast<float>(camera.eye[i]);
  return view;
}

// The page's first plan: the tasks whose group is visible, one behind the other.
PlanSpec makeGroupPlan(SluOrder order) {
  PlanSpec plan;
  SluPlanCreateInfo& info = plan.info;
  info.order = order;
  info.recordStride = sizeof(MeshAssetDrawTaskInfo);
  info.maxRecordCount = kTaskCount;
  info.maxViewCount = 1;
  info.cullFlags = SLU_CULL_FRUSTUM_BIT;
  info.bounds.source = SLU_BOUNDS_PER_RECORD;
  info.bounds.shape = SLU_SHAPE_CORNERS_VEC4;
  info.bounds.stride = sizeof(AABB);
  info.indices = {SLU_INDEXED_BOUNDS_BIT, offsetof(MeshAssetDrawTaskInfo, aabbInstance), 0, 0};
  info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  return plan;
}

// The page's second plan: meshlets, each by the matrix of its node.
PlanSpec makeMeshletPlan(SluOrder order, std::uint32_t count) {
  PlanSpec plan;
  SluPlanCreateInfo& info = plan.info;
  info.order = order;
  info.recordStride = sizeof(CompactedDrawInfo);
  info.maxRecordCount = count;
  info.maxViewCount = 1;
  info.cullFlags = SLU_CULL_FRUSTUM_BIT;
  info.bounds.source = SLU_BOUNDS_PER_KEY;
  info.bounds.stride = sizeof(Bound);
  info.bounds.offset = offsetof(Bound, centerRadius);
  info.bounds.transformFlags = SLU_TRANSFORM_MATRIX_BIT;
  info.bounds.transformStride = sizeof(MatAffine);
  info.bounds.matrixForm = SLU_MATRIX_ROWS;
  info.indices = {SLU_INDEXED_TRANSFORMS_BIT, 0, offsetof(CompactedDrawInfo, nodeOffset), 0};
  info.key.keyCount = kMeshletCount;
  info.key.offset = offsetof(CompactedDrawInfo, meshletIndex);
  info.meshes.stride = sizeof(Draw);
  info.meshes.parts = SLU_MESH_FIRST_ELEMENT_BIT | SLU_MESH_VERTEX_OFFSET_BIT;
  info.meshes.elementCountOffset = offsetof(Draw, indexCount);
  info.meshes.firstElementOffset = offsetof(Draw, firstIndex);
  info.meshes.vertexOffsetOffset = offsetof(Draw, vertexOffset);
  info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT;
  info.draws = {SLU_DRAW_INDEXED_INSTANCES, sizeof(IndexedDraw), SLU_DRAWS_SKIP_EMPTY_BIT};
  plan.buckets.assign(kMeshletCount, SluBucket{count, {}});
  return plan;
}

AABB makeBox(Random& random) {
  AABB box = makeAny<AABB>(random);
  setPoint(box.lo, kWorld, random);
  for (int i = 0; i < 3; ++i) box.hi[i] = box.lo[i] + random.uniform(0.1f, 10.0f);
  return box;
}

TEST_P(Layouts, GraniteGroups) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeGroupPlan(order);
    for (const bool hasFar : {true, false, true}) {
      const Camera camera = makeCamera(random);
      Planes planes;
      setPlanes(camera, hasFar, planes);
      std::vector<AABB> boxes;
      while (boxes.size() < kNodeCount * 5) {
        const AABB box = makeBox(random);
        Judge judge;
        (void)isGroupVisible(planes, box, judge);
        if (judge.isClear()) boxes.push_back(box);
      }
      std::vector<MeshAssetDrawTaskInfo> tasks, expected;
      for (std::uint32_t i = 0; i < kTaskCount; ++i) {
        MeshAssetDrawTaskInfo task = makeAny<MeshAssetDrawTaskInfo>(random);
        task.aabbInstance = random.below(static_cast<std::uint32_t>(boxes.size()));
        Judge judge;
        if (isGroupVisible(planes, boxes[task.aabbInstance], judge)) expected.push_back(task);
        tasks.push_back(task);
      }
      Input input;
      input.count = kTaskCount;
      input.records = bytesOf(tasks);
      input.bounds = bytesOf(boxes);
      input.elements.bounds = static_cast<std::uint32_t>(boxes.size());
      const Outcome outcome = run(plan, input, makeView(camera, planes, hasFar));
      auto kept = outcome.keptRecords<MeshAssetDrawTaskInfo>();
      if (order == SLU_ORDER_UNORDERED) {
        std::sort(kept.begin(), kept.end());
        std::sort(expected.begin(), expected.end());
      }
      ASSERT_EQ(kept, expected);
      EXPECT_GT(outcome.statistics().keptCount, 0u);
      EXPECT_GT(outcome.statistics().rejectedCount[SLU_REJECT_FRUSTUM], 0u);
    }
  }
}

Bound makeBound(Random& random) {
  Bound bound = makeAny<Bound>(random);
  setPoint(bound.centerRadius, 3.0f, random);
  bound.centerRadius[3] = random.uniform(0.1f, 3.0f);
  const Quaternion axis = makeRotation(random);
  const float size = std::sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  const float cone[3] = {axis.x / size, axis.y / size, axis.z / size};
  std::copy_n(cone, 3, bound.cone);
  bound.cone[3] = random.chance(0.5) ? 1.0f : random.uniform(0.0f, 0.9f);
  return bound;
}

// isSheared: of any kind that has an inverse, else with a scale along each axis before the rotation.
MatAffine makeNode(bool isSheared, Random& random) {
  const Quaternion q = makeRotation(random);
  const float x = q.x, y = q.y, z = q.z, w = q.w;
  const float rotation[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
  float scale[3], shear = isSheared ? random.uniform(-1.5f, 1.5f) : 0.0f;
  for (float& factor : scale) factor = random.uniform(0.3f, 2.5f) * random.pick({1.0f, 1.0f, -1.0f});
  MatAffine node;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) node.rows[i][j] = rotation[i][j] * scale[j];
    node.rows[i][1] += shear * node.rows[i][0];
    node.rows[i][3] = random.uniform(-kWorld, kWorld);
  }
  return node;
}

// Tasks as Granite makes them, spread out to one record for each meshlet.
struct Meshlets {
  std::vector<CompactedDrawInfo> records;
  std::vector<MatAffine> matrices;  // of each node
  std::vector<Drawn> drawn;         // by the frustum, with radii as the library takes them
  std::vector<Drawn> withoutCones;  // by Granite's test but for cones
  std::vector<Drawn> ofGranite;     // by all of it
};

// Where records would be left out for a close call, their node is: its tasks come with all their meshlets.
Meshlets makeMeshlets(const Planes& planes, const Vector& eye, const std::vector<Bound>& bounds,
                      const std::vector<Draw>& draws, bool isSheared, Random& random) {
  Meshlets all;
  for (std::uint32_t node = 0; node < kNodeCount;) {
    const MatAffine matrix = makeNode(isSheared, random);
    const std::uint32_t first = random.below(kMeshletCount / 32) * 32, lastLane = random.below(32);
    const MeshAssetDrawTaskInfo task = {0, 0, node, first | lastLane, random.word()};
    Judge judge;
    std::vector<Drawn> drawn, withoutCones, ofGranite;
    for (std::uint32_t lane = 0; lane <= (task.meshIndexCount & 31); ++lane) {
      const std::uint32_t meshlet = (task.meshIndexCount & ~31u) + lane;
      const auto record = static_cast<std::uint32_t>(all.records.size()) + lane;
      const Drawn one = {record, draws[meshlet].indexCount, draws[meshlet].firstIndex, draws[meshlet].vertexOffset};
      const Bound& bound = bounds[meshlet];
      const auto addIf = [&](std::vector<Drawn>& list, const Vector* cameraPosition, Stretch stretch) {
        if (isMeshletVisible(planes, matrix, bound, cameraPosition, stretch, judge)) list.push_back(one);
      };
      addIf(drawn, nullptr, Stretch::rowSums);
      addIf(withoutCones, nullptr, Stretch::longestColumn);
      addIf(ofGranite, &eye, Stretch::longestColumn);
    }
    if (!judge.isClear()) continue;
    for (std::uint32_t lane = 0; lane <= lastLane; ++lane) {
      all.records.push_back({first + lane, task.nodeInstance, task.materialFlags});
    }
    all.matrices.push_back(matrix);
    all.drawn.insert(all.drawn.end(), drawn.begin(), drawn.end());
    all.withoutCones.insert(all.withoutCones.end(), withoutCones.begin(), withoutCones.end());
    all.ofGranite.insert(all.ofGranite.end(), ofGranite.begin(), ofGranite.end());
    ++node;
  }
  return all;
}

// The plan keeps what Granite keeps, and what only its cones reject. Under shear it also keeps what Granite's radius is
// too short for.
TEST_P(Layouts, GraniteMeshlets) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = makeMeshletPlan(order, kNodeCount * 32);
    for (const bool isSheared : {false, true}) {
      const Camera camera = makeCamera(random);
      Planes planes;
      setPlanes(camera, true, planes);
      std::vector<Bound> bounds;
      std::vector<Draw> draws;
      for (std::uint32_t i = 0; i < kMeshletCount; ++i) {
        bounds.push_back(makeBound(random));
        draws.push_back(makeAny<Draw>(random));
      }
      const Meshlets meshlets = makeMeshlets(planes, camera.eye, bounds, draws, isSheared, random);
      Input input;
      input.count = static_cast<std::uint32_t>(meshlets.records.size());
      input.records = bytesOf(meshlets.records);
      input.bounds = bytesOf(bounds);
      input.transforms = bytesOf(meshlets.matrices);
      input.elements.transforms = kNodeCount;
      input.meshes = bytesOf(draws);
      const Outcome outcome = run(plan, input, makeView(camera, planes, true));
      const std::vector<Drawn> drawn = outcome.drawn();
      ASSERT_EQ(drawn, meshlets.drawn);
      if (!isSheared) {
        ASSERT_EQ(drawn, meshlets.withoutCones);
      }
      ASSERT_TRUE(std::includes(drawn.begin(), drawn.end(), meshlets.ofGranite.begin(), meshlets.ofGranite.end()));
      EXPECT_FALSE(meshlets.ofGranite.empty());
      EXPECT_GT(outcome.statistics().rejectedCount[SLU_REJECT_FRUSTUM], 0u);
    }
  }
}

}  // namespace
}  // namespace slu::test::granite
