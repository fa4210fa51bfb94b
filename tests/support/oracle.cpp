#include "oracle.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <stdexcept>

namespace slu::test {
namespace {

template <typename Value>
Value load(const std::uint8_t* bytes) {
  Value value;
  std::memcpy(&value, bytes, sizeof(value));
  return value;
}

const std::uint8_t* at(const std::vector<Bytes>& memories, const Place& place) {
  return place ? memories.at(place.memory).data() + place.offset : nullptr;
}

bool passes(const SluPlanCreateInfo& info, const SluLive& live, const std::uint8_t* record, const std::uint8_t* flags,
            std::uint32_t i) {
  switch (live.test) {
    case SLU_LIVE_ALWAYS:
      return true;
    case SLU_LIVE_NON_EMPTY:
      return std::any_of(record + live.offset, record + live.offset + live.size, [](std::uint8_t b) { return b != 0; });
    case SLU_LIVE_POSITIVE_INT:
      return load<std::int32_t>(record + live.offset) > 0;
    case SLU_LIVE_POSITIVE_FLOAT:
      return load<float>(record + live.offset) > 0.0f;
    case SLU_LIVE_MASK_EQUAL:
      for (std::uint32_t bit = 0; bit < 32; ++bit) {
        const auto bitOf = [bit](std::uint32_t word) { return word >> bit & 1; };
        const std::uint32_t word = load<std::uint32_t>(record + live.offset);
        if (bitOf(info.liveMask) != 0 && bitOf(word) != bitOf(info.liveValue)) return false;
      }
      return true;
    case SLU_LIVE_FLAG_BITS:
      return (load<std::uint32_t>(flags + i / 32 * 4) >> i % 32 & 1) != 0;
    case SLU_LIVE_FLAG_BYTES:
      return flags[i] != 0;
    case SLU_LIVE_FLAG_WORDS:
      return load<std::uint32_t>(flags + std::uint64_t{i} * 4) != 0;
    default:
      throw std::invalid_argument("the oracle does not know this live test");
  }
}

std::uint32_t keyOf(const PlanSpec& plan, const std::uint8_t* record) {
  const SluKey& key = plan.info.key;
  if (plan.keyCount() == 1) return 0;
  const std::uint64_t mask = key.bits == 0 ? 0xffffffffu : (std::uint64_t{1} << key.bits) - 1;
  return static_cast<std::uint32_t>(load<std::uint32_t>(record + key.offset) >> key.shift & mask);
}

float squaredDistance(const SluView& view, const World& world, const Arithmetic& arithmetic) {
  float toCenter[3];
  for (int i = 0; i < 3; ++i) toCenter[i] = world.center[i] - view.eye[i];
  return arithmetic.dot(toCenter, toCenter);
}

// A matrix by rows, so that a row's dot product with a point is a coordinate less its translation.
struct Rows {
  float linear[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  float translation[3] = {};
};

bool has(const SluBounds& bounds, SluFlags part) { return (bounds.transformFlags & part) != 0; }

float loadFloat(const std::uint8_t* bytes, std::size_t index) { return load<float>(bytes + index * sizeof(float)); }

Rows loadMatrix(const std::uint8_t* bytes, SluMatrixForm form) {
  const std::size_t columnFloats = form == SLU_MATRIX_COLUMNS_3X4 ? 3 : 4;
  Rows rows;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      const std::size_t index = form == SLU_MATRIX_ROWS ? row * 4 + column : column * columnFloats + row;
      (column == 3 ? rows.translation[row] : rows.linear[row][column]) = loadFloat(bytes, index);
    }
  }
  return rows;
}

// The rotation's matrix: the diagonal, and each pair of entries across from it.
void setRotation(const float q[4], Rows& rows, const Arithmetic& arithmetic) {
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const int low = std::min(i, j), high = std::max(i, j);
    rows.linear[i][i] = 1.0f - arithmetic.twoProducts(q[std::min(j, k)], 2 * q[std::min(j, k)], q[std::max(j, k)],
                                                      2 * q[std::max(j, k)]);
    rows.linear[j][i] = arithmetic.twoProducts(q[low], 2 * q[high], q[3], 2 * q[k]);
    rows.linear[i][j] = arithmetic.twoProducts(q[low], 2 * q[high], -q[3], 2 * q[k]);
  }
}

Rows matrixOf(const SluBounds& bounds, const std::uint8_t* transform, const Arithmetic& arithmetic) {
  if (has(bounds, SLU_TRANSFORM_MATRIX_BIT)) return loadMatrix(transform + bounds.matrixOffset, bounds.matrixForm);
  Rows rows;
  if (has(bounds, SLU_TRANSFORM_ROTATION_BIT)) {
    float quaternion[4];
    std::memcpy(quaternion, transform + bounds.rotationOffset, sizeof(quaternion));
    setRotation(quaternion, rows, arithmetic);
  }
  for (std::uint32_t column = 0; column < 3; ++column) {
    float scale = 1.0f;
    if (has(bounds, SLU_TRANSFORM_SCALE_BIT)) scale = loadFloat(transform + bounds.scaleOffset, 0);
    if (has(bounds, SLU_TRANSFORM_AXIS_SCALE_BIT)) scale = loadFloat(transform + bounds.scaleOffset, column);
    for (auto& row : rows.linear) row[column] *= scale;
    if (has(bounds, SLU_TRANSFORM_POSITION_BIT)) {
      rows.translation[column] = loadFloat(transform + bounds.positionOffset, column);
    }
  }
  return rows;
}

// Whether the determinant is negative, of a linear part that is finite.
bool mirrors(const Rows& rows, const Arithmetic& arithmetic) {
  float columns[3][3], normal[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      columns[i][j] = rows.linear[j][i];
      if (!std::isfinite(columns[i][j])) return false;
    }
  }
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    normal[i] = columns[1][j] * columns[2][k] - columns[1][k] * columns[2][j];
  }
  return arithmetic.dot(columns[0], normal) < 0.0f;
}

// The largest absolute row sum of transpose(M) * M; NaN if any is.
float stretchOf(const Rows& rows, const Arithmetic& arithmetic) {
  float columns[3][3], largest = 0.0f;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) columns[i][j] = rows.linear[j][i];
  }
  for (int i = 0; i < 3; ++i) {
    float sum = arithmetic.dot(columns[i], columns[i]);
    for (int j = 0; j < 3; ++j) {
      if (j != i) sum += std::fabs(arithmetic.dot(columns[std::min(i, j)], columns[std::max(i, j)]));
    }
    if (std::isnan(sum)) return sum;
    largest = std::max(largest, sum);
  }
  return largest;
}

void movePoint(const Rows& rows, float point[3], const Arithmetic& arithmetic) {
  const float from[3] = {point[0], point[1], point[2]};
  for (int i = 0; i < 3; ++i) point[i] = arithmetic.dot(rows.linear[i], from) + rows.translation[i];
}

bool isRadius(float value) { return std::isfinite(value) && value >= 0.0f; }

float sumOf(const float a[3]) { return (std::fabs(a[0]) + std::fabs(a[1])) + std::fabs(a[2]); }

// Whether a cluster faces away from a view. element: what holds the bounds and the cone. center: in the world.
bool facesAway(const PlanSpec& plan, const SluView& view, const std::uint8_t* transform, const std::uint8_t* element,
               const float center[3]) {
  const Arithmetic exact;
  const SluBounds& bounds = plan.info.bounds;
  const auto [axis, cutoff] = load<ConeBytes>(element + plan.info.cones.offset);
  if (!(cutoff >= 0.0f && cutoff < 1.0f) || std::signbit(cutoff)) return false;
  const Rows matrix = bounds.transformFlags != 0 ? matrixOf(bounds, transform, exact) : Rows{};
  float columns[3][3], sums[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) columns[i][j] = matrix.linear[j][i];
    sums[i] = sumOf(columns[i]);
  }
  Rows normals;  // whose columns are the cross products of the matrix's
  for (int column = 0; column < 3; ++column) {
    const float* second = columns[(column + 1) % 3];
    const float* third = columns[(column + 2) % 3];
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      normals.linear[i][column] = second[j] * third[k] - second[k] * third[j];
    }
  }
  const float first[3] = {normals.linear[0][0], normals.linear[1][0], normals.linear[2][0]};
  const float determinant = exact.dot(columns[0], first);
  const float error = sums[0] * (sums[1] * sums[2]) * std::ldexp(1.0f, -20);
  if (!(std::fabs(determinant) > error)) return false;
  const float products = (sums[1] * sums[2] + sums[2] * sums[0]) + sums[0] * sums[1];
  const float stretch =
      stretchOf(normals, exact) * (1.0f + std::ldexp(1.0f, -11)) + products * products * std::ldexp(1.0f, -29);
  if (!(stretch >= 1e-30f && stretch < 1e36f)) return false;
  float turned[3];
  const bool isTurned = determinant < 0.0f && (plan.info.cones.flags & SLU_CONE_FIXED_FRONT_FACE_BIT) == 0;
  for (int i = 0; i < 3; ++i) {
    turned[i] = exact.dot(normals.linear[i], axis);
    if (!std::isfinite(turned[i])) return false;
    if (isTurned) turned[i] = -turned[i];
  }
  const float radius = loadFloat(element + bounds.offset, 3);
  const float margin = cutoff + std::ldexp(1.0f, -10);
  const float least = margin * margin * stretch;
  const bool isFlat = (view.flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0;
  float along[3], reach = 0.0f;
  for (int i = 0; i < 3; ++i) along[i] = isFlat ? view.direction[i] : center[i] - view.eye[i];
  if (!isFlat) {
    reach = radius * (std::fabs(determinant) + error) +
            (sumOf(center) + sumOf(view.eye)) * std::ldexp(1.0f, -21) * sumOf(turned);
  }
  const float inside = exact.dot(along, turned) - reach;
  return inside >= 0.0f && inside * inside > least * exact.dot(along, along);
}

World movedSphere(const SluBounds& bounds, const std::uint8_t* transform, const Ball& ball,
                  const Arithmetic& arithmetic) {
  World world;
  world.test = Test::square;
  std::memcpy(world.center, ball.center, sizeof(world.center));
  if (bounds.transformFlags != 0) {
    const Rows rows = matrixOf(bounds, transform, arithmetic);
    movePoint(rows, world.center, arithmetic);
    world.stretch = stretchOf(rows, arithmetic);
  }
  world.square = isRadius(ball.radius) ? ball.radius * ball.radius * world.stretch : -1.0f;
  return world;
}

World movedBox(const SluBounds& bounds, const std::uint8_t* transform, const BoxBytes& box,
               const Arithmetic& arithmetic) {
  World world;
  world.test = Test::box;
  for (int i = 0; i < 3; ++i) {
    const bool isCorners = isByCorners(bounds.shape);
    world.center[i] = isCorners ? (box.first[i] + box.second[i]) * 0.5f : box.first[i];
    world.extents[i] = isCorners ? (box.second[i] - box.first[i]) * 0.5f : box.second[i];
  }
  const bool isValid = std::all_of(world.extents, world.extents + 3, isRadius);
  if (bounds.transformFlags != 0) {
    const Rows rows = matrixOf(bounds, transform, arithmetic);
    movePoint(rows, world.center, arithmetic);
    world.stretch = stretchOf(rows, arithmetic);
    const float from[3] = {world.extents[0], world.extents[1], world.extents[2]};
    for (int i = 0; i < 3; ++i) {
      float row[3];
      for (int j = 0; j < 3; ++j) row[j] = std::fabs(rows.linear[i][j]);
      world.extents[i] = arithmetic.dot(row, from);
    }
  }
  world.square = isValid ? arithmetic.dot(world.extents, world.extents) : -1.0f;
  return world;
}

bool isOutside(const World& world, const float plane[4], const Arithmetic& arithmetic) {
  const float distance = arithmetic.dot(plane, world.center) + plane[3];
  if (world.test == Test::radius) return distance < -world.radius;
  if (world.test == Test::square) return distance < 0.0f && distance * distance > world.square;
  const float normal[3] = {std::fabs(plane[0]), std::fabs(plane[1]), std::fabs(plane[2])};
  return distance + arithmetic.dot(normal, world.extents) < 0.0f;
}

}  // namespace

float Arithmetic::dot(const float a[3], const float b[3]) const {
  if (kind == contracted) return std::fma(a[2], b[2], std::fma(a[1], b[1], a[0] * b[0]));
  if (kind == reordered) return a[0] * b[0] + (a[1] * b[1] + a[2] * b[2]);
  return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

float Arithmetic::twoProducts(float a, float b, float c, float d) const {
  return kind == contracted ? std::fma(a, b, c * d) : a * b + c * d;
}

void Arithmetic::rotate(const float quaternion[4], float vector[3]) const {
  const auto cross = [this](const float a[3], const float b[3], float result[3]) {
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      result[i] = kind == contracted ? std::fma(a[j], b[k], -(a[k] * b[j])) : a[j] * b[k] - a[k] * b[j];
    }
  };
  float t[3], u[3];
  cross(quaternion, vector, t);
  for (float& component : t) component *= 2.0f;
  cross(quaternion, t, u);
  for (int i = 0; i < 3; ++i) {
    const float sum = kind == contracted ? std::fma(t[i], quaternion[3], vector[i]) : vector[i] + t[i] * quaternion[3];
    vector[i] = sum + u[i];
  }
}

World boundsOf(const PlanSpec& plan, const std::uint8_t* transform, const std::uint8_t* bytes,
               const Arithmetic& arithmetic) {
  const SluBounds& bounds = plan.info.bounds;
  bytes += bounds.offset;
  if (bounds.shape != SLU_SHAPE_SPHERE) {
    BoxBytes box = load<BoxBytes>(bytes);
    std::memcpy(box.second, bytes + boundsBytes(bounds.shape) / 2, sizeof(box.second));
    return movedBox(bounds, transform, box, arithmetic);
  }
  Ball ball = load<Ball>(bytes);
  const bool needsSquare = plan.hasMeshes() || plan.hasLayers() || plan.indexedStreams() != 0 ||
                           plan.info.lod.flags != 0 || plan.splitsMirrored() || plan.hasMorePlanes() ||
                           plan.testsOcclusion() || plan.testsCones();
  if (needsSquare || has(bounds, SLU_TRANSFORM_AXIS_SCALE_BIT | SLU_TRANSFORM_MATRIX_BIT)) {
    return movedSphere(bounds, transform, ball, arithmetic);
  }
  if (has(bounds, SLU_TRANSFORM_SCALE_BIT)) {
    const float scale = load<float>(transform + bounds.scaleOffset);
    for (float& component : ball.center) component *= scale;
    ball.radius *= std::fabs(scale);
  }
  if (has(bounds, SLU_TRANSFORM_ROTATION_BIT)) {
    float quaternion[4];
    std::memcpy(quaternion, transform + bounds.rotationOffset, sizeof(quaternion));
    arithmetic.rotate(quaternion, ball.center);
  }
  if (has(bounds, SLU_TRANSFORM_POSITION_BIT)) {
    for (std::uint32_t i = 0; i < 3; ++i) ball.center[i] += loadFloat(transform + bounds.positionOffset, i);
  }
  World world;
  std::memcpy(world.center, ball.center, sizeof(world.center));
  world.radius = ball.radius;
  return world;
}

std::uint32_t cull(const PlanSpec& plan, const SluView& view, const World& world, const Arithmetic& arithmetic,
                   const SluMorePlanes* more) {
  const float distance2 = squaredDistance(view, world, arithmetic);
  if (!std::isfinite(distance2) || distance2 > 1e36f) return SLU_REJECT_INVALID;
  if (!isRadius(world.test == Test::radius ? world.radius : world.square)) return SLU_REJECT_INVALID;
  if ((plan.info.cullFlags & SLU_CULL_DISTANCE_BIT) != 0 &&
      (distance2 < view.minDistance * view.minDistance || distance2 > view.maxDistance * view.maxDistance)) {
    return SLU_REJECT_DISTANCE;
  }
  if ((plan.info.cullFlags & SLU_CULL_FRUSTUM_BIT) != 0) {
    const auto isOutsideOfAny = [&](const float(&planes)[6][4]) {
      return std::any_of(planes, planes + 6, [&](const auto& plane) { return isOutside(world, plane, arithmetic); });
    };
    const bool isOutsideOfOwn = isOutsideOfAny(view.planes);
    const bool isOutsideOfMore = more != nullptr && isOutsideOfAny(more->planes);
    const bool isEither = (view.flags & SLU_VIEW_EITHER_FRUSTUM_BIT) != 0;
    const bool isRejected = isEither ? isOutsideOfOwn && isOutsideOfMore : isOutsideOfOwn || isOutsideOfMore;
    if (isRejected) return SLU_REJECT_FRUSTUM;
  }
  const float square = world.test == Test::radius ? world.radius * world.radius : world.square;
  const float depth2 = (view.flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0 ? 1.0f : distance2;
  if ((plan.info.cullFlags & SLU_CULL_SIZE_BIT) != 0 && square < view.minSizeRatio * view.minSizeRatio * depth2) {
    return SLU_REJECT_SIZE;
  }
  return SLU_REJECT_COUNT;
}

std::uint32_t reachedLod(const PlanSpec& plan, const SluView& view, const World& world, std::uint32_t lodCount,
                         const std::uint8_t* mesh, const Arithmetic& arithmetic, float factor) {
  const SluMeshes& meshes = plan.info.meshes;
  const float ratio2 = plan.readsThresholds() ? view.lodRatio * view.lodRatio : 1.0f;
  const bool isFlat = (view.flags & SLU_VIEW_ORTHOGRAPHIC_BIT) != 0;
  float distance2 = (isFlat ? 1.0f : squaredDistance(view, world, arithmetic)) * ratio2;
  if (!isFlat || plan.readsThresholds()) distance2 *= factor * factor;
  const bool isNear = !isFlat && (plan.info.lod.flags & SLU_LOD_NEAR_SIDE_BIT) != 0;
  const float radius2 = isNear ? world.square * ratio2 : 0.0f;
  std::uint32_t reached = 0;
  for (std::uint32_t lod = 1; lod < lodCount; ++lod) {
    float threshold = view.lodDistances[lod - 1];
    if (plan.readsThresholds()) threshold = load<float>(mesh + meshes.thresholdOffset + lod * meshes.lodStride);
    if (!isRadius(threshold)) continue;
    float threshold2 = threshold * threshold;
    if (plan.info.lod.rule == SLU_LOD_MESH_ERRORS) threshold2 *= world.stretch;
    const float rest = distance2 - threshold2 - radius2;
    const float product = 4.0f * (threshold2 * radius2);
    if (rest >= 0.0f && product <= rest * rest) reached = lod;
  }
  return reached;
}

std::uint32_t lodOf(const PlanSpec& plan, const SluView& view, const World& world, const Arithmetic& arithmetic,
                    const std::uint8_t* mesh, LodHistory* history) {
  const SluMeshes& meshes = plan.info.meshes;
  std::uint32_t lodCount = plan.lodCount(), resident = 0xffffffffu;
  if (plan.hasMeshPart(SLU_MESH_LOD_COUNT_BIT)) {
    lodCount = std::min(lodCount, load<std::uint32_t>(mesh + meshes.lodCountOffset));
  }
  if (plan.hasMeshPart(SLU_MESH_LOD_MASK_BIT)) resident = load<std::uint32_t>(mesh + meshes.lodMaskOffset);
  const auto reachedAt = [&](float factor) {
    if (lodCount <= 1 || world.isUnknown) return std::uint32_t{0};
    return reachedLod(plan, view, world, lodCount, mesh, arithmetic, factor);
  };
  std::uint32_t reached = reachedAt(1.0f);
  if (history != nullptr && history->last[0] < plan.lodCount()) {
    const std::uint32_t finest = reachedAt(1.0f - history->hysteresis),
                        coarsest = reachedAt(1.0f + history->hysteresis);
    reached = std::clamp(std::uint32_t{history->last[0]}, finest, coarsest);
  }
  if (history != nullptr) history->lod = static_cast<std::uint8_t>(reached);
  const auto isResident = [&](std::uint32_t lod) { return (resident >> lod & 1) != 0; };
  for (std::uint32_t lod = reached; lod < lodCount; ++lod) {
    if (isResident(lod)) return lod;
  }
  for (std::uint32_t finer = std::min(reached, lodCount); finer > 0; --finer) {
    if (isResident(finer - 1)) return finer - 1;
  }
  return SLU_MAX_LODS;
}

// The element of a stream for a record, or nullptr if the frame does not have it. indexOffset: of the word that names it.
// count: of the elements, if records share the stream.
const std::uint8_t* elementOf(const PlanSpec& plan, SluFlags bit, const std::uint8_t* stream, std::uint32_t stride,
                              const std::uint8_t* record, std::uint32_t indexOffset, std::uint32_t i,
                              std::uint32_t count) {
  if ((plan.indexedStreams() & bit) == 0) return stream + std::uint64_t{i} * stride;
  const std::uint32_t named = load<std::uint32_t>(record + indexOffset);
  return named < count ? stream + std::uint64_t{named} * stride : nullptr;
}

// The state that follows, if the record is kept.
std::uint32_t nextLodState(const PlanSpec& plan, const LodHistory& history, std::uint32_t fadeStep) {
  const auto orNone = [&](std::uint8_t lod) { return lod < plan.lodCount() ? lod : std::uint8_t{SLU_LOD_NONE}; };
  const std::uint8_t last = orNone(history.last[0]);
  std::uint8_t next[4] = {history.lod, last, 0, 0};
  if (last == SLU_LOD_NONE) next[2] = 255;
  if (last == history.lod) {
    next[1] = orNone(history.last[1]);
    next[2] = static_cast<std::uint8_t>(std::min(history.last[2] + fadeStep, 255u));
  }
  return load<std::uint32_t>(next);
}

// Whether a record's bit is set. bits: of all views.
bool isBitSet(const PlanSpec& plan, const std::uint8_t* bits, std::uint32_t view, std::uint32_t i) {
  const std::uint64_t word = std::uint64_t{view} * plan.visibleStride() + i / 32;
  return (load<std::uint32_t>(bits + word * 4) >> i % 32 & 1) != 0;
}

Demand findDemand(const PlanSpec& plan, const FrameSpec& frame, const std::vector<Bytes>& memories,
                  const std::vector<std::uint32_t>& visible) {
  Demand demand;
  demand.visible = visible;
  demand.inputCount = frame.recordCount;
  if (frame.liveCount) {
    const std::uint32_t liveCount = load<std::uint32_t>(at(memories, frame.liveCount));
    demand.inputCount = std::min(liveCount, frame.recordCount);
    demand.overflow = liveCount > frame.recordCount ? SLU_OVERFLOW_INPUT_BIT : 0;
  }
  if (plan.hasMeshes()) {
    demand.meshCount = frame.meshCount;
    if (frame.liveMeshCount) {
      demand.meshCount = std::min(demand.meshCount, load<std::uint32_t>(at(memories, frame.liveMeshCount)));
    }
  }
  demand.rejected.resize(frame.viewCount * SLU_REJECT_COUNT);
  demand.passed.resize(std::size_t{frame.viewCount} * plan.bucketCount());
  if (plan.isMerged()) demand.drawnBy.resize(frame.viewCount);
  demand.listed.resize(frame.viewCount);
  if (plan.keepsLodStates()) {
    demand.lodStates.assign(std::size_t{frame.viewCount} * demand.inputCount, SLU_LOD_STATE_NONE);
  }

  const SluBounds& bounds = plan.info.bounds;
  const SluIndices& by = plan.info.indices;
  const std::uint8_t* flags = at(memories, frame.flags);
  const std::uint8_t* streamOfBounds = at(memories, frame.bounds);
  const std::uint8_t* streamOfTransforms = at(memories, frame.transforms);
  const std::uint8_t* streamOfLayers = at(memories, frame.layers);
  const std::uint8_t* table = at(memories, frame.meshes);
  const std::uint8_t* lastVisible = at(memories, frame.lastVisible);
  const OcclusionSpec& occlusion = frame.occlusion;
  const SluFlags neverOccluded = plan.info.layers.neverCullMask | plan.info.layers.neverOccludeMask;
  const std::uint32_t keyCount = plan.hasMeshes() ? demand.meshCount : plan.keyCount();
  for (std::uint32_t i = 0; i < demand.inputCount; ++i) {
    const std::uint8_t* record = at(memories, frame.records);
    if (record != nullptr) record += std::uint64_t{i} * plan.info.recordStride;
    const bool live = passes(plan.info, plan.info.live, record, flags, i) &&
                      passes(plan.info, plan.info.secondLive, record, flags, i);
    const std::uint32_t key = live ? keyOf(plan, record) : 0;
    const bool hasKey = key < keyCount;
    const std::uint8_t* mesh =
        plan.hasMeshes() && hasKey ? table + std::uint64_t{key} * plan.info.meshes.stride : nullptr;
    World world;
    const std::uint8_t* transform = record;
    const std::uint8_t* stored = nullptr;  // what holds the bounds
    if (live && hasKey && plan.testsBounds()) {
      if (plan.readsTransforms()) {
        transform = elementOf(plan, SLU_INDEXED_TRANSFORMS_BIT, streamOfTransforms, bounds.transformStride, record,
                              by.transformOffset, i, frame.elements.transforms);
      }
      stored = bounds.source == SLU_BOUNDS_IN_RECORD ? record
               : bounds.source == SLU_BOUNDS_IN_MESH ? mesh
               : bounds.source == SLU_BOUNDS_PER_KEY
                   ? streamOfBounds + std::uint64_t{key} * bounds.stride
                   : elementOf(plan, SLU_INDEXED_BOUNDS_BIT, streamOfBounds, bounds.stride, record, by.boundsOffset, i,
                               frame.elements.bounds);
      if (stored != nullptr && (transform != nullptr || !plan.readsTransforms())) {
        world = boundsOf(plan, transform, stored);
        if (plan.splitsMirrored()) world.isMirrored = mirrors(matrixOf(bounds, transform, {}), {});
      } else {
        world.test = Test::square;
        world.square = -1;
      }
    }
    std::uint32_t layers = 0;
    if (live && plan.hasLayers()) {
      const std::uint32_t stride = plan.info.layers.stride;
      const std::uint8_t* of = record;
      if (stride != 0) {
        of = elementOf(plan, SLU_INDEXED_LAYERS_BIT, streamOfLayers, stride, record, by.layersOffset, i,
                       frame.elements.layers);
      }
      if (of != nullptr) layers = load<std::uint32_t>(of + plan.info.layers.offset);
    }
    // Whether the first of two phases keeps it.
    const auto isFirst = [&](std::uint32_t view) {
      return (layers & neverOccluded) != 0 || (lastVisible != nullptr && isBitSet(plan, lastVisible, view, i));
    };
    for (std::uint32_t view = 0; view < frame.viewCount; ++view) {
      std::uint32_t reject = SLU_REJECT_COUNT;
      if (!live) {
        reject = SLU_REJECT_NOT_LIVE;
      } else if (!hasKey) {
        reject = SLU_REJECT_KEY;
      } else if (plan.testsLayers() && (layers & frame.views[view].layerMask) == 0) {
        reject = SLU_REJECT_LAYER;
      } else if (occlusion.isOfTwo() && isFirst(view) != (occlusion.phase == SLU_OCCLUSION_FIRST)) {
        reject = SLU_REJECT_OTHER_PHASE;
      } else if (plan.testsBounds()) {
        const auto more = std::find_if(frame.morePlanes.begin(), frame.morePlanes.end(),
                                       [&](const SluMorePlanes& planes) { return planes.view == view; });
        reject = cull(plan, frame.views[view], world, {}, more == frame.morePlanes.end() ? nullptr : &*more);
      }
      const bool isMarked = (layers & plan.info.layers.neverCullMask) != 0;
      world.isUnknown = isMarked && reject == SLU_REJECT_INVALID;
      if (isMarked && reject >= SLU_REJECT_INVALID && reject <= SLU_REJECT_SIZE) reject = SLU_REJECT_COUNT;
      if (reject == SLU_REJECT_COUNT && plan.testsCones() && !isMarked &&
          facesAway(plan, frame.views[view], transform, stored, world.center)) {
        reject = SLU_REJECT_CONE;
      }
      if (reject == SLU_REJECT_COUNT && occlusion.findsVisible() && (layers & neverOccluded) == 0) {
        const std::uint64_t word = std::uint64_t{view} * plan.visibleStride() + i / 32;
        if ((visible.at(word) >> i % 32 & 1) == 0) reject = SLU_REJECT_OCCLUDED;
      }
      std::uint32_t lod = 0;
      LodHistory history;
      history.hysteresis = frame.lodHysteresis;
      if (frame.lastLodStates) {
        const std::uint64_t state = std::uint64_t{view} * plan.info.maxRecordCount + i;
        std::memcpy(history.last, at(memories, frame.lastLodStates) + state * 4, 4);
      }
      if (reject == SLU_REJECT_COUNT && (plan.lodCount() > 1 || mesh != nullptr)) {
        lod = lodOf(plan, plan.hasViews() ? frame.views[view] : SluView{}, world, {}, mesh, &history);
        if (lod == SLU_MAX_LODS) reject = SLU_REJECT_LOD;
      }
      if (reject != SLU_REJECT_COUNT) {
        ++demand.rejected[view * SLU_REJECT_COUNT + reject];
        if (plan.listsReason(reject)) demand.listed[view].push_back(i);
        continue;
      }
      if (plan.keepsLodStates()) {
        const std::size_t state = std::size_t{view} * demand.inputCount + i;
        demand.lodStates[state] = nextLodState(plan, history, frame.lodFadeStep);
      }
      const std::uint32_t first = world.isMirrored ? plan.firstMirrored() : 0;
      const std::uint32_t bucket = first + key * plan.lodCount() + lod;
      if (plan.isMerged()) {
        demand.passed[view].push_back(i);
        demand.drawnBy[view].push_back(bucket);
      } else {
        demand.passed[view * plan.bucketCount() + bucket].push_back(i);
      }
    }
  }
  return demand;
}

}  // namespace slu::test
