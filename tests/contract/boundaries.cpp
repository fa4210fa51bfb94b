#include "boundaries.h"

#include <cmath>
#include <cstddef>
#include <cstring>
#include <vector>

#include "oracle.h"
#include "plans.h"

namespace slu::test {
namespace {

// The record: bounds, and what moves them.
struct Record {
  float bounds[6];
  float transform[kMostTransformBytes / 4];
};
static_assert(sizeof(Record) == 88);

constexpr float kLodDistances[] = {12.5f, 20.1f, 33.3f, 47.7f, 60.0f, 71.9f, 90.3f};

// Up to two units in the last place to either side.
float nudge(float value, Random& random) {
  for (std::uint32_t steps = random.below(3); steps > 0; --steps) {
    value = std::nextafter(value, random.chance(0.5) ? 1e30f : -1e30f);
  }
  return value;
}

class Generator {
 public:
  Generator(Boundary boundary, const PlanSpec& plan, const SluView& view, Random& random)
      : boundary_(boundary), plan_(plan), view_(view), random_(random) {}

  Record make() {
    switch (boundary_) {
      case Boundary::frustum:
        return makeAtPlane();
      case Boundary::size:
        return makeAtSize();
      case Boundary::nearest:
        return makeAtDistance(view_.minDistance);
      case Boundary::farthest:
        return makeAtDistance(view_.maxDistance);
      default:
        return makeAtDistance(view_.lodDistances[random_.below(SLU_MAX_LODS - 1)]);
    }
  }

 private:
  bool has(SluFlags part) const { return (bounds().transformFlags & part) != 0; }
  bool isSphere() const { return bounds().shape == SLU_SHAPE_SPHERE; }
  const SluBounds& bounds() const { return plan_.info.bounds; }

  // A part of the transform.
  static float* at(Record& record, std::uint32_t offset) { return reinterpret_cast<float*>(&record) + offset / 4; }

  void setAnyTransform(Record& record) {
    float position[3];
    for (float& value : position) value = random_.uniform(-100.0f, 100.0f);
    auto* bytes = reinterpret_cast<std::uint8_t*>(&record);
    if (has(SLU_TRANSFORM_MATRIX_BIT)) {
      storeMatrix(bytes + bounds().matrixOffset, bounds().matrixForm, makeLinear(random_), position);
    }
    if (has(SLU_TRANSFORM_POSITION_BIT)) std::memcpy(bytes + bounds().positionOffset, position, sizeof(position));
    const int scaleCount = has(SLU_TRANSFORM_AXIS_SCALE_BIT) ? 3 : has(SLU_TRANSFORM_SCALE_BIT) ? 1 : 0;
    for (int i = 0; i < scaleCount; ++i) {
      at(record, bounds().scaleOffset)[i] = random_.uniform(0.5f, 2.0f) * (random_.chance(0.2) ? -1.0f : 1.0f);
    }
    if (has(SLU_TRANSFORM_ROTATION_BIT)) {
      const Quaternion rotation = makeRotation(random_);
      std::memcpy(bytes + bounds().rotationOffset, &rotation, sizeof(rotation));
    }
  }

  // The radius, or the extents, times a factor; nudged, since the result is on a boundary.
  void scaleSize(Record& record, double factor) {
    float* size = record.bounds + 3;
    if (bounds().shape != SLU_SHAPE_CORNERS) {
      for (int i = 0; i < (isSphere() ? 1 : 3); ++i) {
        size[i] = nudge(static_cast<float>(double{size[i]} * factor), random_);
      }
      return;
    }
    for (int i = 0; i < 3; ++i) {
      const double first = double{record.bounds[i]}, last = double{size[i]};
      const double middle = (first + last) / 2, extent = (last - first) / 2 * factor;
      record.bounds[i] = nudge(static_cast<float>(middle - extent), random_);
      size[i] = nudge(static_cast<float>(middle + extent), random_);
    }
  }

  Record makeAnywhere() {
    Record record{};
    const float range = bounds().transformFlags == 0 ? 100.0f : 5.0f;
    for (int i = 0; i < 3; ++i) record.bounds[i] = random_.uniform(-range, range);
    for (int i = 3; i < (isSphere() ? 4 : 6); ++i) record.bounds[i] = random_.uniform(0.5f, 5.0f);
    for (int i = 0; i < 3 && bounds().shape == SLU_SHAPE_CORNERS; ++i) record.bounds[i + 3] += record.bounds[i];
    setAnyTransform(record);
    return record;
  }

  World worldOf(const Record& record) const {
    std::uint8_t bytes[sizeof(Record)];
    std::memcpy(bytes, &record, sizeof(record));
    return boundsOf(plan_, bytes, bytes);
  }

  static double radiusOf(const World& world) {
    return world.test == Test::radius ? double{world.radius} : std::sqrt(double{world.square});
  }

  // How far the bounds reach from their center across the plane.
  static double reachOf(const World& world, const float (&plane)[4]) {
    if (world.test != Test::box) return radiusOf(world);
    double reach = 0;
    for (int i = 0; i < 3; ++i) reach += std::fabs(double{plane[i]}) * double{world.extents[i]};
    return reach;
  }

  static double distanceTo(const World& world, const float (&plane)[4]) {
    return double{Arithmetic().dot(plane, world.center) + plane[3]};
  }

  double distanceFromEye(const World& world) const {
    double length2 = 0;
    for (int i = 0; i < 3; ++i) {
      const double difference = double{world.center[i]} - double{view_.eye[i]};
      length2 += difference * difference;
    }
    return std::sqrt(length2);
  }

  // Outside of one plane by just what it reaches, and inside of the others.
  Record makeAtPlane() {
    for (;;) {
      Record record = makeAnywhere();
      World world = worldOf(record);
      const float(&plane)[4] = view_.planes[random_.below(6)];
      const double outside = -distanceTo(world, plane);
      if (outside < 0.01 || outside > 20.0) continue;
      scaleSize(record, outside / reachOf(world, plane));
      world = worldOf(record);
      bool decides = true;
      for (const float(&other)[4] : view_.planes) {
        decides = decides && distanceTo(world, other) + reachOf(world, other) > -outside * 1e-5;
      }
      if (decides) return record;
    }
  }

  // Moves the center along its direction from the eye.
  Record makeAtDistance(float distance) {
    for (;;) {
      Record record = makeAnywhere();
      const World world = worldOf(record);
      const double length = distanceFromEye(world);
      if (length < 1.0) continue;
      const double stretch = double{distance} / length - 1.0;
      for (std::size_t i = 0; i < 3; ++i) {
        const double step = (double{world.center[i]} - double{view_.eye[i]}) * stretch;
        for (float* coordinate : coordinatesOf(record, i)) {
          *coordinate = static_cast<float>(double{*coordinate} + step);
        }
      }
      float* first = coordinatesOf(record, 0).front();
      *first = nudge(*first, random_);
      return record;
    }
  }

  // What moves the center along an axis of the world.
  std::vector<float*> coordinatesOf(Record& record, std::size_t axis) const {
    if (has(SLU_TRANSFORM_POSITION_BIT)) return {at(record, bounds().positionOffset) + axis};
    if (has(SLU_TRANSFORM_MATRIX_BIT)) {
      float* matrix = at(record, bounds().matrixOffset);
      if (bounds().matrixForm == SLU_MATRIX_ROWS) return {matrix + axis * 4 + 3};
      return {matrix + (bounds().matrixForm == SLU_MATRIX_COLUMNS_4X4 ? 12 : 9) + axis};
    }
    if (bounds().shape == SLU_SHAPE_CORNERS) return {record.bounds + axis, record.bounds + axis + 3};
    return {record.bounds + axis};
  }

  Record makeAtSize() {
    Record record = makeAnywhere();
    const World world = worldOf(record);
    scaleSize(record, double{view_.minSizeRatio} * distanceFromEye(world) / radiusOf(world));
    return record;
  }

  const Boundary boundary_;
  const PlanSpec& plan_;
  const SluView& view_;
  Random& random_;
};

SluFlags cullFlagsOf(Boundary boundary) {
  switch (boundary) {
    case Boundary::frustum:
      return SLU_CULL_FRUSTUM_BIT;
    case Boundary::size:
      return SLU_CULL_SIZE_BIT;
    case Boundary::lod:
      return 0;
    default:
      return SLU_CULL_DISTANCE_BIT;
  }
}

}  // namespace

BoundaryCase makeBoundaryCase(Boundary boundary, const Motion& motion, SluOrder order, std::uint32_t count,
                              Random& random) {
  BoundaryCase result;
  result.plan = simplePlan(order, sizeof(Record), count);
  result.plan.info.live = {};
  addCulling(result.plan, cullFlagsOf(boundary), SLU_BOUNDS_IN_RECORD, 0, motion.shape);
  addTransform(result.plan, motion.transformFlags, offsetof(Record, transform), motion.form);
  if (boundary == Boundary::lod) addBuckets(result.plan, 1, SLU_MAX_LODS, count);
  result.view = makeViews(result.plan, 1, random).front();
  result.view.flags = 0;  // perspective: the distance, which other arithmetic changes, decides about sizes and LODs
  result.view.minDistance = boundary == Boundary::nearest ? random.uniform(20.0f, 40.0f) : 0.0f;
  result.view.maxDistance = boundary == Boundary::farthest ? random.uniform(60.0f, 90.0f) : 1e9f;
  result.view.minSizeRatio = random.uniform(0.01f, 0.1f);
  std::memcpy(result.view.lodDistances, kLodDistances, sizeof(kLodDistances));
  result.input.count = count;
  result.input.records.resize(std::size_t{count} * sizeof(Record));
  Generator generator(boundary, result.plan, result.view, random);
  for (std::size_t i = 0; i < count; ++i) {
    const Record record = generator.make();
    std::memcpy(&result.input.records[i * sizeof(Record)], &record, sizeof(record));
  }
  return result;
}

}  // namespace slu::test
