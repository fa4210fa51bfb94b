#include "picture_similarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace {

constexpr int kRadius = 5;
constexpr double kDeviation = 1.5;
constexpr double kRange = 255.0;
constexpr double kLumaConstant = 0.01 * kRange * 0.01 * kRange;
constexpr double kContrastConstant = 0.03 * kRange * 0.03 * kRange;

// A value per pixel.
struct Plane {
  Plane(int planeWidth, int planeHeight)
      : width(planeWidth), height(planeHeight), values(static_cast<size_t>(width) * static_cast<size_t>(height)) {}

  double& at(int x, int y) {
    return values[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
  }
  double clamped(int x, int y) const {
    const auto row = static_cast<size_t>(std::clamp(y, 0, height - 1));
    return values[row * static_cast<size_t>(width) + static_cast<size_t>(std::clamp(x, 0, width - 1))];
  }

  int width, height;
  std::vector<double> values;
};

std::array<double, 2 * kRadius + 1> gaussian() {
  std::array<double, 2 * kRadius + 1> weights;
  double sum = 0.0;
  for (int offset = -kRadius; offset <= kRadius; ++offset)
    sum += weights[static_cast<size_t>(offset + kRadius)] =
        std::exp(-offset * offset / (2.0 * kDeviation * kDeviation));
  for (double& weight : weights) weight /= sum;
  return weights;
}

// Along x and then along y.
Plane blurred(const Plane& plane) {
  static const auto weights = gaussian();
  Plane rows(plane.width, plane.height), result(plane.width, plane.height);
  const auto weigh = [&](const Plane& from, Plane& to, int stepX, int stepY) {
    for (int y = 0; y < from.height; ++y)
      for (int x = 0; x < from.width; ++x)
        for (int offset = -kRadius; offset <= kRadius; ++offset)
          to.at(x, y) +=
              weights[static_cast<size_t>(offset + kRadius)] * from.clamped(x + offset * stepX, y + offset * stepY);
  };
  weigh(plane, rows, 1, 0);
  weigh(rows, result, 0, 1);
  return result;
}

Plane luma(const Picture& picture) {
  Plane plane(picture.width, picture.height);
  for (size_t pixel = 0; pixel < plane.values.size(); ++pixel)
    plane.values[pixel] =
        0.299 * picture.rgb[3 * pixel] + 0.587 * picture.rgb[3 * pixel + 1] + 0.114 * picture.rgb[3 * pixel + 2];
  return plane;
}

// The mean of products around each pixel.
Plane blurredProduct(const Plane& a, const Plane& b) {
  Plane product(a.width, a.height);
  std::transform(a.values.begin(), a.values.end(), b.values.begin(), product.values.begin(), std::multiplies<>());
  return blurred(product);
}

}  // namespace

Similarity similarity(const Picture& a, const Picture& b) {
  Similarity result;
  if (a.width != b.width || a.height != b.height || a.rgb.empty()) return result;
  const Plane lumaA = luma(a), lumaB = luma(b);
  const Plane meanA = blurred(lumaA), meanB = blurred(lumaB);
  const Plane squareA = blurredProduct(lumaA, lumaA), squareB = blurredProduct(lumaB, lumaB);
  const Plane product = blurredProduct(lumaA, lumaB);
  double sum = 0.0, unlike = 0.0, difference = 0.0;
  for (size_t pixel = 0; pixel < product.values.size(); ++pixel) {
    const double x = meanA.values[pixel], y = meanB.values[pixel];
    const double variances = squareA.values[pixel] - x * x + squareB.values[pixel] - y * y;
    const double covariance = product.values[pixel] - x * y;
    const double local = (2.0 * x * y + kLumaConstant) * (2.0 * covariance + kContrastConstant) /
                         ((x * x + y * y + kLumaConstant) * (variances + kContrastConstant));
    sum += local;
    unlike += local < kUnlike;
  }
  for (size_t channel = 0; channel < a.rgb.size(); ++channel) difference += std::abs(a.rgb[channel] - b.rgb[channel]);
  const auto pixels = static_cast<double>(product.values.size());
  return {sum / pixels, unlike / pixels, difference / (3.0 * pixels)};
}

bool areAlike(const Similarity& similarity) {
  return similarity.mean >= kMinMean && similarity.unlikeShare <= kMaxUnlikeShare &&
         similarity.meanDifference <= kMaxMeanDifference;
}
