#include <sluice/sluice.h>

#include <cmath>
#include <limits>

namespace {

// The half space where sign * (clip coordinate `row`) + (plusW ? w : 0) >= 0. In double, since the rows nearly cancel
// for a distant far plane.
void writePlane(const float* matrix, int row, double sign, bool plusW, float* plane) {
  double equation[4];
  for (int column = 0; column < 4; ++column) {
    const float* entries = matrix + column * 4;
    equation[column] = sign * double{entries[row]} + (plusW ? double{entries[3]} : 0.0);
  }
  const double length = std::hypot(equation[0], equation[1], equation[2]);
  const bool isPlane = length > 0.0 && std::isfinite(length) &&
                       std::abs(equation[3]) <= length * double{std::numeric_limits<float>::max()};
  for (int i = 0; i < 4; ++i) {
    plane[i] = isPlane ? static_cast<float>(equation[i] / length) : i < 3 ? 0.0f : 1.0f;
  }
}

}  // namespace

void sluGetFrustumPlanes(const float viewProjection[16], float planes[6][4]) {
  if (viewProjection == nullptr || planes == nullptr) return;
  writePlane(viewProjection, 0, 1.0, true, planes[0]);
  writePlane(viewProjection, 0, -1.0, true, planes[1]);
  writePlane(viewProjection, 1, 1.0, true, planes[2]);
  writePlane(viewProjection, 1, -1.0, true, planes[3]);
  writePlane(viewProjection, 2, 1.0, false, planes[4]);  // 0 <= z
  writePlane(viewProjection, 2, -1.0, true, planes[5]);  // z <= w
}
