#include "boundaries.h"

#include <cmath>
#include <cstring>

#include "oracle.h"
#include "plans.h"

namespace slu::test {
namespace {

// The record: a sphere, and what moves it.
struct Record {
  Ball ball;
  float position[3];
  float scale;
  Quaternion rotation;
};
static_assert(sizeof(Record) == 48);

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
  Record makeAnywhere() {
    Record record{};
    const float size = plan_.info.bounds.transformFlags == 0 ? 100.0f : 5.0f;
    for (float& value : record.ball.center) value = random_.uniform(-size, size);
    for (float& value : record.position) value = random_.uniform(-100.0f, 100.0f);
    record.ball.radius = random_.uniform(0.5f, 5.0f);
    record.scale = random_.uniform(0.5f, 2.0f) * (random_.chance(0.2) ? -1.0f : 1.0f);
    record.rotation = makeRotation(random_);
    return record;
  }

  Ball worldOf(const Record& record) const {
    std::uint8_t bytes[sizeof(Record)];
    std::memcpy(bytes, &record, sizeof(record));
    return boundsOf(plan_, bytes, bytes);
  }

  void setWorldRadius(Record& record, float radius) {
    const bool scales = (plan_.info.bounds.transformFlags & SLU_TRANSFORM_SCALE_BIT) != 0;
    record.ball.radius = nudge(scales ? radius / std::fabs(record.scale) : radius, random_);
  }

  // Outside of one plane by just its radius, and inside of the others.
  Record makeAtPlane() {
    for (;;) {
      Record record = makeAnywhere();
      const Ball world = worldOf(record);
      const float(&plane)[4] = view_.planes[random_.below(6)];
      const float outside = -(Arithmetic().dot(plane, world.center) + plane[3]);
      if (outside < 0.01f || outside > 20.0f) continue;
      setWorldRadius(record, outside);
      bool decides = true;
      for (const float(&other)[4] : view_.planes) {
        decides = decides && Arithmetic().dot(other, world.center) + other[3] > -outside * 1.00001f;
      }
      if (decides) return record;
    }
  }

  // Moves the center along its direction from the eye.
  Record makeAtDistance(float distance) {
    const bool moves = (plan_.info.bounds.transformFlags & SLU_TRANSFORM_POSITION_BIT) != 0;
    for (;;) {
      Record record = makeAnywhere();
      const Ball world = worldOf(record);
      double toCenter[3], length2 = 0;
      for (int i = 0; i < 3; ++i) {
        toCenter[i] = double{world.center[i]} - double{view_.eye[i]};
        length2 += toCenter[i] * toCenter[i];
      }
      if (length2 < 1.0) continue;
      float* center = moves ? record.position : record.ball.center;
      const double stretch = double{distance} / std::sqrt(length2) - 1.0;
      for (int i = 0; i < 3; ++i) center[i] = static_cast<float>(double{center[i]} + toCenter[i] * stretch);
      center[0] = nudge(center[0], random_);
      return record;
    }
  }

  Record makeAtSize() {
    Record record = makeAnywhere();
    const Ball world = worldOf(record);
    double length2 = 0;
    for (int i = 0; i < 3; ++i) {
      const double difference = double{world.center[i]} - double{view_.eye[i]};
      length2 += difference * difference;
    }
    setWorldRadius(record, static_cast<float>(double{view_.minSizeRatio} * std::sqrt(length2)));
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

BoundaryCase makeBoundaryCase(Boundary boundary, SluFlags transformFlags, SluOrder order, std::uint32_t count,
                              Random& random) {
  BoundaryCase result;
  result.plan = simplePlan(order, sizeof(Record), count);
  result.plan.info.live = {};
  addCulling(result.plan, cullFlagsOf(boundary), SLU_BOUNDS_IN_RECORD, 0);
  addTransform(result.plan, transformFlags, sizeof(Ball));
  if (boundary == Boundary::lod) addBuckets(result.plan, 1, SLU_MAX_LODS, count);
  result.view = makeViews(result.plan, 1, random).front();
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
