// sluGetFrustumPlanes against the definition: clip coordinates of random points, -w <= x, y <= w and 0 <= z <= w.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "floats.h"
#include "random.h"
#include "specimen.h"

namespace slu::test {
namespace {

using Matrix = std::array<std::array<double, 4>, 4>;  // [row][column]
using Point = std::array<double, 3>;
using Planes = float[6][4];

Matrix multiply(const Matrix& a, const Matrix& b) {
  Matrix product{};
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      for (std::size_t i = 0; i < 4; ++i) product[row][column] += a[row][i] * b[i][column];
    }
  }
  return product;
}

// From a random unit quaternion and eye.
Matrix randomViewMatrix(Random& random) {
  double q[4];
  double length = 0.0;
  do {
    for (double& value : q) value = random.uniform(-1.0f, 1.0f);
    length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  } while (length < 0.1);
  const double x = q[0] / length, y = q[1] / length, z = q[2] / length, w = q[3] / length;
  const Matrix rotation = {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), 0},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), 0},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), 0},
                            {0, 0, 0, 1}}};
  Matrix translation = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
  for (std::size_t i = 0; i < 3; ++i) translation[i][3] = random.uniform(-20.0f, 20.0f);
  return multiply(rotation, translation);
}

enum class Projection { finite, reversed, infinite, infiniteReversed, orthographic };

// Looks along -z; clip z from 0 to w.
Matrix makeProjection(Projection kind, Random& random) {
  const double sx = random.uniform(0.5f, 3.0f), sy = random.uniform(0.5f, 3.0f) * (random.chance(0.5) ? 1 : -1);
  const double n = random.uniform(0.05f, 1.0f), f = random.uniform(20.0f, 60.0f);
  const double cx = random.uniform(-0.3f, 0.3f), cy = random.uniform(-0.3f, 0.3f);
  const auto perspective = [&](double a, double b) {
    return Matrix{{{sx, 0, cx, 0}, {0, sy, cy, 0}, {0, 0, a, b}, {0, 0, -1, 0}}};
  };
  switch (kind) {
    case Projection::finite:
      return perspective(f / (n - f), n * f / (n - f));
    case Projection::reversed:
      return perspective(n / (f - n), n * f / (f - n));
    case Projection::infinite:
      return perspective(-1, -n);
    case Projection::infiniteReversed:
      return perspective(0, n);
    default:
      return {{{sx / 10, 0, 0, cx}, {0, sy / 10, 0, cy}, {0, 0, 1 / (n - f), n / (n - f)}, {0, 0, 0, 1}}};
  }
}

// The column-major floats of the matrix, and the matrix that these are.
std::array<float, 16> roundToFloat(Matrix& matrix) {
  std::array<float, 16> floats{};
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      floats[column * 4 + row] = static_cast<float>(matrix[row][column]);
      matrix[row][column] = floats[column * 4 + row];
    }
  }
  return floats;
}

// Per plane, what has to be >= 0 of a point's clip coordinates.
std::array<double, 6> clipDistances(const Matrix& matrix, const Point& point) {
  std::array<double, 4> clip{};
  for (std::size_t row = 0; row < 4; ++row) {
    clip[row] = matrix[row][0] * point[0] + matrix[row][1] * point[1] + matrix[row][2] * point[2] + matrix[row][3];
  }
  const auto [x, y, z, w] = clip;
  return {w + x, w - x, w + y, w - y, z, w - z};
}

double planeDistance(const float* plane, const Point& point) {
  return plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] + plane[3];
}

void expectSameSides(const Matrix& matrix, const Planes& planes, Random& random) {
  int inside = 0;
  for (int i = 0; i < 500; ++i) {
    Point point{};
    for (double& value : point) value = random.uniform(-80.0f, 80.0f);
    const std::array<double, 6> clip = clipDistances(matrix, point);
    bool passesAll = true;
    for (std::size_t p = 0; p < 6; ++p) {
      const double distance = planeDistance(planes[p], point);
      passesAll = passesAll && distance >= 0;
      if (std::abs(distance) < 1e-3) continue;  // the plane is rounded to float
      ASSERT_EQ(distance >= 0, clip[p] >= 0) << "plane " << p << ", distance " << distance << ", clip " << clip[p];
    }
    inside += passesAll ? 1 : 0;
  }
  EXPECT_LT(inside, 500);
}

TEST(FrustumPlanes, AgreeWithClipSpace) {
  SCOPED_TRACE(describeSeed());
  Random random;
  for (int i = 0; i < 200; ++i) {
    for (const Projection kind : {Projection::finite, Projection::reversed, Projection::infinite,
                                  Projection::infiniteReversed, Projection::orthographic}) {
      SCOPED_TRACE("projection " + std::to_string(static_cast<int>(kind)));
      Matrix matrix = multiply(makeProjection(kind, random), randomViewMatrix(random));
      const std::array<float, 16> floats = roundToFloat(matrix);
      Planes planes;
      sluGetFrustumPlanes(floats.data(), planes);
      for (const auto& plane : planes) {
        const double length = std::hypot(plane[0], plane[1], plane[2]);
        const bool everything = length == 0.0 && plane[3] == 1.0f;
        EXPECT_TRUE(everything || std::abs(length - 1.0) < 1e-6) << length;
      }
      expectSameSides(matrix, planes, random);
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(FrustumPlanes, OfAnInfiniteFarPlanePassEverything) {
  const float n = 0.25f;
  const float infinite[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -n, 0};
  const float reversed[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -1, 0, 0, n, 0};
  Planes planes;
  const auto passesEverything = [&](int plane) {
    return planes[plane][0] == 0 && planes[plane][1] == 0 && planes[plane][2] == 0 && planes[plane][3] == 1;
  };
  sluGetFrustumPlanes(infinite, planes);
  EXPECT_TRUE(passesEverything(5));
  EXPECT_FALSE(passesEverything(4));
  EXPECT_EQ(planes[4][2], -1.0f);
  EXPECT_EQ(planes[4][3], -n);
  sluGetFrustumPlanes(reversed, planes);
  EXPECT_TRUE(passesEverything(4));
  EXPECT_FALSE(passesEverything(5));
  // So far from the origin that -1e7f - n is -1e7f; and a projection that flattens z.
  const float infiniteFar[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, -1, 0, 0, -1e7f, -1e7f};
  const float flat[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  sluGetFrustumPlanes(infiniteFar, planes);
  EXPECT_TRUE(passesEverything(5));
  EXPECT_FALSE(passesEverything(4));
  sluGetFrustumPlanes(flat, planes);
  EXPECT_TRUE(passesEverything(4));
  EXPECT_TRUE(passesEverything(5));
  EXPECT_FALSE(passesEverything(0));
}

// Whether a frame with these planes is refused, by a sentence that tells how to fill them.
bool isRefused(const Planes& planes) {
  Specimen specimen;
  if (specimen.createPlan() != SLU_SUCCESS) ADD_FAILURE() << specimen.context.message();
  std::copy_n(planes[0], 24, specimen.views[0].planes[0]);
  if (sluCompact(specimen.plan, &specimen.frame) == SLU_SUCCESS) return false;
  EXPECT_TRUE(beginsWith(specimen.context.message(), "frame.views[0].planes"));
  EXPECT_NE(specimen.context.message().find("sluGetFrustumPlanes"), std::string::npos) << specimen.context.message();
  return true;
}

constexpr float kPlain[16] = {1.5f, 0, 0, 0, 0, -2, 0, 0, 0, 0, -1.25f, -1, 3, 4, 5, 6};

template <typename Real>
void getPlanes(const Real (&matrix)[16], Planes& planes) {
  if constexpr (sizeof(Real) == sizeof(double)) {
    sluGetFrustumPlanesDouble(matrix, planes);
  } else {
    sluGetFrustumPlanes(matrix, planes);
  }
}

template <typename Real>
class FrustumPlanesOf : public testing::Test {};
using EntryTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(FrustumPlanesOf, EntryTypes, );

TYPED_TEST(FrustumPlanesOf, MatricesThatAreNotFiniteAreRefused) {
  constexpr auto kHuge = std::numeric_limits<TypeParam>::infinity();
  for (const TypeParam value : {kHuge, -kHuge, std::numeric_limits<TypeParam>::quiet_NaN()}) {
    for (std::size_t spoilt = 0; spoilt <= 16; ++spoilt) {
      SCOPED_TRACE(testing::Message() << value << " at " << spoilt);
      TypeParam matrix[16];
      for (std::size_t i = 0; i < 16; ++i) matrix[i] = i == spoilt || spoilt == 16 ? value : TypeParam{kPlain[i]};
      Planes planes;
      getPlanes(matrix, planes);
      for (const auto& plane : planes) {
        const bool passesEverything = plane[0] == 0 && plane[1] == 0 && plane[2] == 0 && plane[3] > 0;
        EXPECT_FALSE(passesEverything);
      }
      EXPECT_TRUE(isRefused(planes));
    }
  }
}

TYPED_TEST(FrustumPlanesOf, MatricesWithoutPlanesAreRefused) {
  const TypeParam zeros[16] = {};
  const TypeParam negativeW[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1};  // all is behind the eye
  const TypeParam farBehind[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, TypeParam{1e-30f}, 0, 0, 0, TypeParam{-1e30f}, 1};
  for (const auto* matrix : {&zeros, &negativeW, &farBehind}) {
    Planes planes;
    getPlanes(*matrix, planes);
    EXPECT_TRUE(isRefused(planes)) << planes[4][0] << ' ' << planes[4][1] << ' ' << planes[4][2] << ' ' << planes[4][3];
  }
}

// A factor changes no plane, be the entries denormal or their sums beyond the type.
TYPED_TEST(FrustumPlanesOf, MatricesOfAnySizeAreTheSame) {
  using Limits = std::numeric_limits<TypeParam>;
  Planes expected;
  sluGetFrustumPlanes(kPlain, expected);
  EXPECT_FALSE(isRefused(expected));
  for (const int exponent : {Limits::min_exponent, Limits::min_exponent - 4, Limits::max_exponent - 3}) {
    TypeParam matrix[16];
    for (std::size_t i = 0; i < 16; ++i) matrix[i] = std::ldexp(TypeParam{kPlain[i]}, exponent);
    Planes planes;
    getPlanes(matrix, planes);
    for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(planes[i / 4][i % 4], expected[i / 4][i % 4]) << exponent;
  }
}

TEST(FrustumPlanes, OfNullAreLeft) {
  Planes untouched = {};
  sluGetFrustumPlanes(nullptr, untouched);
  sluGetFrustumPlanesDouble(nullptr, untouched);
  EXPECT_EQ(untouched[0][3], 0.0f);
  const double matrix[16] = {};
  sluGetFrustumPlanes(kPlain, nullptr);
  sluGetFrustumPlanesDouble(matrix, nullptr);
}

}  // namespace
}  // namespace slu::test
