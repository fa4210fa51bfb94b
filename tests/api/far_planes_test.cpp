// Culling far from the origin with the planes of sluGetFrustumPlanes*, against spheres that are placed and measured along
// the camera's own axes, in long double and without any matrix.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "random.h"
#include "specimen.h"

namespace slu::test {
namespace {

using Triple = std::array<long double, 3>;

long double dot(const Triple& a, const Triple& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Triple cross(const Triple& a, const Triple& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// a + scale * b
Triple add(const Triple& a, long double scale, const Triple& b) {
  return {a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]};
}

Triple unit(const Triple& a) { return add({}, 1.0L / std::sqrt(dot(a, a)), a); }

Triple randomDirection(Random& random) {
  for (;;) {
    const Triple v = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
    if (dot(v, v) > 0.01L && dot(v, v) < 1.0L) return unit(v);
  }
}

enum class Depth { forward, reversed, infinite, infiniteReversed };
constexpr Depth kDepths[] = {Depth::forward, Depth::reversed, Depth::infinite, Depth::infiniteReversed};

struct Camera {
  Triple eye{}, right{}, up{}, forward{};
  long double tangentX = 1, tangentY = 1, nearest = 0.1L, farthest = 1000;
  bool isInfinite = false;

  // How far inside of the frustum's nearest side a point is; negative outside.
  long double inside(const Triple& point) const {
    const Triple from = add(point, -1, eye);
    const long double x = dot(from, right), y = dot(from, up), z = dot(from, forward);
    const long double sideX = (z * tangentX - std::abs(x)) / std::hypot(1.0L, tangentX);
    const long double sideY = (z * tangentY - std::abs(y)) / std::hypot(1.0L, tangentY);
    const long double ends = isInfinite ? z - nearest : std::min(z - nearest, farthest - z);
    return std::min({sideX, sideY, ends});
  }
};

Camera randomCamera(long double distance, Depth depth, Random& random) {
  Camera camera;
  camera.eye = add({}, distance, randomDirection(random));
  camera.forward = randomDirection(random);
  camera.right = unit(cross(camera.forward, randomDirection(random)));
  camera.up = cross(camera.right, camera.forward);
  camera.tangentX = random.uniform(0.3f, 2.0f);
  camera.tangentY = random.uniform(0.3f, 2.0f);
  camera.isInfinite = depth == Depth::infinite || depth == Depth::infiniteReversed;
  return camera;
}

// Column-major, as a host computes it in doubles: projection times rotation times translation.
std::array<double, 16> viewProjection(const Camera& camera, Depth depth) {
  const auto n = static_cast<double>(camera.nearest), f = static_cast<double>(camera.farthest);
  double a = 0, b = 0;  // z = a * view z + b, w = -view z
  if (depth == Depth::forward) a = f / (n - f), b = n * f / (n - f);
  if (depth == Depth::reversed) a = n / (f - n), b = n * f / (f - n);
  if (depth == Depth::infinite) a = -1, b = -n;
  if (depth == Depth::infiniteReversed) b = n;
  const auto row = [&](const Triple& axis, long double scale) {
    std::array<double, 4> entries{};
    for (std::size_t i = 0; i < 3; ++i) {
      entries[i] = static_cast<double>(axis[i] * scale);
      entries[3] -= entries[i] * static_cast<double>(camera.eye[i]);
    }
    return entries;
  };
  const auto x = row(camera.right, 1 / camera.tangentX), y = row(camera.up, 1 / camera.tangentY);
  const auto w = row(camera.forward, 1);
  std::array<double, 16> matrix{};
  for (std::size_t column = 0; column < 4; ++column) {
    double* entries = &matrix[column * 4];
    entries[0] = x[column];
    entries[1] = y[column];
    entries[2] = -a * w[column] + (column == 3 ? b : 0);
    entries[3] = w[column];
  }
  return matrix;
}

constexpr std::uint32_t kSpheres = 200;

// A plan of the CPU route that culls by the frustum alone.
class FarPlanes : public testing::Test {
 protected:
  void SetUp() override {
    auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    info.route = SLU_ROUTE_CPU;
    info.recordStride = 16;
    info.maxRecordCount = kSpheres;
    info.cullFlags = SLU_CULL_FRUSTUM_BIT;
    info.bounds.source = SLU_BOUNDS_IN_RECORD;
    info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
    ASSERT_EQ(sluCreatePlan(context_, &info, plan_.put()), SLU_SUCCESS) << context_.message();
    records_.reset(Specimen::makeBuffer(context_, spheres.data(), sizeof(spheres)));
    results_.reset(Specimen::makeBuffer(context_, &results, sizeof(results)));
  }

  // Spheres near the frustum's border at all depths, and how far inside of the frustum each reaches.
  void scatter(const Camera& camera) {
    for (std::uint32_t i = 0; i < kSpheres; ++i) {
      const long double depth = random.chance(0.1) ? (random.chance(0.5) ? camera.nearest : camera.farthest)
                                                   : std::exp(random.uniform(0.0f, std::log(1000.0f)));
      Triple center = add(camera.eye, depth, camera.forward);
      center = add(center, depth * camera.tangentX * random.uniform(-1.5f, 1.5f), camera.right);
      center = add(center, depth * camera.tangentY * random.uniform(-1.5f, 1.5f), camera.up);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        spheres[i][axis] = static_cast<float>(center[axis]);
        center[axis] = spheres[i][axis];
      }
      spheres[i][3] = random.uniform(0.0f, 20.0f);
      reach[i] = camera.inside(center) + spheres[i][3];
      farthestPoint[i] = std::sqrt(dot(center, center)) + spheres[i][3];
    }
  }

  void cull(const SluView& view) {
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = kSpheres;
    frame.viewCount = 1;
    frame.views = &view;
    frame.records = {records_, 0};
    frame.statistics = {results_, 0};
    frame.indices = {results_, sizeof(SluStatistics)};
    ASSERT_EQ(sluCompact(plan_, &frame), SLU_SUCCESS) << context_.message();
    kept.fill(false);
    for (std::uint32_t i = 0; i < results.statistics.keptCount; ++i) kept[results.indices[i]] = true;
  }

  struct Results {
    SluStatistics statistics;
    std::uint32_t indices[kSpheres];
  };

  Random random;
  std::array<std::array<float, 4>, kSpheres> spheres{};
  std::array<long double, kSpheres> reach{}, farthestPoint{};
  std::array<bool, kSpheres> kept{};
  Results results{};

 private:
  testing::ScopedTrace seed_{__FILE__, __LINE__, describeSeed()};
  LoggedContext context_;
  Plan plan_;
  Buffer records_, results_;
};

constexpr long double kOfDoubles = 0x1p-21L, kOfFloats = 0x1p-20L;  // of the distance, as sluice.h says

// What sluice.h says of a finite far plane of floats when z is not reversed.
long double farPlanePart(const Camera& camera, Depth depth) {
  return depth == Depth::forward ? camera.farthest / camera.nearest * 0x1p-21L : 0.0L;
}

// The header's word: the planes move no sphere by more than this part of its distance from the origin.
TEST_F(FarPlanes, HoldAsFarAsTheHeaderSays) {
  std::uint32_t keptCount = 0, culledCount = 0;
  for (const long double distance : {0.0L, 1e4L, 1e5L, 1e6L, 1e7L, 1e9L}) {
    for (std::uint32_t heading = 0; heading < 60; ++heading) {
      const Depth depth = kDepths[heading % 4];
      SCOPED_TRACE(testing::Message() << "camera at " << distance << ", depth " << heading % 4);
      const Camera camera = randomCamera(distance, depth, random);
      const std::array<double, 16> matrix = viewProjection(camera, depth);
      scatter(camera);
      std::array<float, 16> floats{};
      std::copy(matrix.begin(), matrix.end(), floats.begin());
      for (const bool fromDoubles : {true, false}) {
        SluView view{};
        if (fromDoubles) {
          sluGetFrustumPlanesDouble(matrix.data(), view.planes);
        } else {
          sluGetFrustumPlanes(floats.data(), view.planes);
        }
        ASSERT_NO_FATAL_FAILURE(cull(view));
        for (std::uint32_t i = 0; i < kSpheres; ++i) {
          const long double part = fromDoubles ? kOfDoubles : std::max(kOfFloats, farPlanePart(camera, depth));
          const long double bound = part * farthestPoint[i];
          if (std::abs(reach[i]) <= bound) continue;
          ASSERT_EQ(kept[i], reach[i] > 0) << "reaches " << reach[i] << " inside, the bound is " << bound;
          ++(reach[i] > 0 ? keptCount : culledCount);
        }
      }
    }
  }
  EXPECT_GT(keptCount, 10'000u);
  EXPECT_GT(culledCount, 10'000u);
}

// With the bound added to each w nothing that is visible is dropped, however far the camera is.
TEST_F(FarPlanes, DropNothingWithTheBoundAdded) {
  std::uint32_t visibleCount = 0;
  for (const long double distance : {1e5L, 1e6L, 1e7L, 1e9L}) {
    for (std::uint32_t heading = 0; heading < 100; ++heading) {
      const Depth depth = kDepths[heading % 4];
      const Camera camera = randomCamera(distance, depth, random);
      scatter(camera);
      SluView view{};
      sluGetFrustumPlanesDouble(viewProjection(camera, depth).data(), view.planes);
      const long double bound = kOfDoubles * *std::max_element(farthestPoint.begin(), farthestPoint.end());
      for (auto& plane : view.planes) {
        if (plane[0] != 0 || plane[1] != 0 || plane[2] != 0) {
          plane[3] = std::nextafter(plane[3] + static_cast<float>(bound), 1e30f);
        }
      }
      ASSERT_NO_FATAL_FAILURE(cull(view));
      for (std::uint32_t i = 0; i < kSpheres; ++i) {
        visibleCount += reach[i] >= 0 ? 1 : 0;
        ASSERT_TRUE(kept[i] || reach[i] < 0) << "camera at " << distance << ", reaches " << reach[i] << " inside";
      }
    }
  }
  EXPECT_GT(visibleCount, 10'000u);
}

// Why there are planes from doubles: on the view axis, where everything is visible, floats drop some of it at a million.
TEST_F(FarPlanes, OfFloatsDropWhatTheViewAxisShows) {
  std::uint32_t keptByFloats = 0;
  constexpr std::uint32_t kHeadings = 100;
  for (std::uint32_t heading = 0; heading < kHeadings; ++heading) {
    const Camera camera = randomCamera(1e6L, Depth::forward, random);
    for (std::uint32_t i = 0; i < kSpheres; ++i) {
      const Triple center = add(camera.eye, 2 + 4.5L * i, camera.forward);
      for (std::size_t axis = 0; axis < 3; ++axis) spheres[i][axis] = static_cast<float>(center[axis]);
      spheres[i][3] = 1;
    }
    const std::array<double, 16> matrix = viewProjection(camera, Depth::forward);
    SluView view{};
    sluGetFrustumPlanesDouble(matrix.data(), view.planes);
    ASSERT_NO_FATAL_FAILURE(cull(view));
    ASSERT_EQ(results.statistics.keptCount, kSpheres);
    std::array<float, 16> floats{};
    std::copy(matrix.begin(), matrix.end(), floats.begin());
    sluGetFrustumPlanes(floats.data(), view.planes);
    ASSERT_NO_FATAL_FAILURE(cull(view));
    keptByFloats += results.statistics.keptCount;
  }
  EXPECT_LT(keptByFloats, kHeadings * kSpheres);
}

}  // namespace
}  // namespace slu::test
