#include <sluice/sluice.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

// The half space where sign * (clip coordinate `row`) + (plusW ? w : 0) >= 0. All of space where it is 0 everywhere, too:
// far from the origin the rows of an infinite far plane may round to the same.
void writePlane(const double* matrix, int row, double sign, bool plusW, float* plane) {
  double equation[4];
  for (int column = 0; column < 4; ++column) {
    const double* entries = matrix + column * 4;
    equation[column] = sign * entries[row] + (plusW ? entries[3] : 0.0);
  }
  const double length = std::hypot(equation[0], equation[1], equation[2]);
  const bool isPlane = length > 0.0 && std::abs(equation[3]) <= length * double{std::numeric_limits<float>::max()};
  for (int i = 0; i < 4; ++i) plane[i] = isPlane ? static_cast<float>(equation[i] / length) : 0.0f;
  if (!isPlane) plane[3] = equation[3] >= 0.0 ? 1.0f : -1.0f;
}

}  // namespace

// The header's 2^-21 * D are 8 units of 2^-24 * D: rounding w and the normal to floats costs up to 2, the test's own
// products and sums 3, the record's position and the transform's sum 1, and the radius, by which a plane may be farther
// away than the center, at most 2. Random cameras have shown up to 3.5 for the first two. Rounding w outwards here would
// not help: most of the error depends on where the sphere is.
void sluGetFrustumPlanesDouble(const double viewProjection[16], float planes[6][4]) {
  if (viewProjection == nullptr || planes == nullptr) return;
  const auto isFinite = [](double entry) { return std::isfinite(entry); };
  const bool isAllFinite = std::all_of(viewProjection, viewProjection + 16, isFinite);
  const bool hasW =
      viewProjection[3] != 0.0 || viewProjection[7] != 0.0 || viewProjection[11] != 0.0 || viewProjection[15] != 0.0;
  if (!isAllFinite || !hasW) {
    std::fill_n(planes[0], 24, isAllFinite ? 0.0f : std::numeric_limits<float>::quiet_NaN());
    return;
  }
  double largest = 0.0;
  for (int i = 0; i < 16; ++i) largest = std::max(largest, std::abs(viewProjection[i]));
  double matrix[16];  // so that no sum of two entries and no length overflows
  for (int i = 0; i < 16; ++i) matrix[i] = (largest > 1.0 ? 0.25 : 1.0) * viewProjection[i];
  writePlane(matrix, 0, 1.0, true, planes[0]);
  writePlane(matrix, 0, -1.0, true, planes[1]);
  writePlane(matrix, 1, 1.0, true, planes[2]);
  writePlane(matrix, 1, -1.0, true, planes[3]);
  writePlane(matrix, 2, 1.0, false, planes[4]);  // 0 <= z
  writePlane(matrix, 2, -1.0, true, planes[5]);  // z <= w
}

// Floats become doubles before they are subtracted, since the rows nearly cancel for a distant far plane.
void sluGetFrustumPlanes(const float viewProjection[16], float planes[6][4]) {
  if (viewProjection == nullptr) return;
  double matrix[16];
  std::copy_n(viewProjection, 16, matrix);
  sluGetFrustumPlanesDouble(matrix, planes);
}
