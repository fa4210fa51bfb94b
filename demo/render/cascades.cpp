#include "render/cascades.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/type_ptr.hpp>

namespace demo {
namespace {

// Between even splits (0) and those by equal ratios (1): Zhang and others, "Parallel-Split Shadow Maps for Large-scale
// Virtual Environments", 2006.
constexpr float kSplitRatio = 0.9f;
constexpr float kFirstRatioSplit = 4.0f;  // where the ratios start
constexpr float kRadiusStep = 1.0f / 16.0f;

float splitDistance(uint32_t split, float reach) {
  const float share = static_cast<float>(split) / static_cast<float>(kCascadeCount);
  if (split == 0) return 0.0f;
  return kSplitRatio * kFirstRatioSplit * std::pow(reach / kFirstRatioSplit, share) +
         (1.0f - kSplitRatio) * reach * share;
}

struct Sphere {
  glm::vec3 center;
  float radius;
};

// Returns the least sphere around the frustum between two distances that has its center on the axis.
Sphere sphereAround(const FrameConstants& camera, float begin, float end) {
  const glm::vec3 right(camera.right), up(camera.up);
  const float spread2 = glm::dot(right, right) + glm::dot(up, up);  // of a corner at distance 1
  const float ahead = std::min(0.5f * (begin + end) * (1.0f + spread2), end);
  // A step is more than rounding changes, so the radius is the same wherever the camera looks.
  const float radius = std::hypot(end - ahead, end * std::sqrt(spread2));
  return {glm::vec3(camera.eye) + ahead * glm::vec3(camera.forward),
          kRadiusStep * (std::floor(radius / kRadiusStep) + 2.0f)};
}

// Rows of the rotation into the sun's space: z points towards the sun, x is level.
struct SunAxes {
  glm::vec3 x, y, z;
};

SunAxes axesOf(const Sun& sun) {
  const glm::vec3 x = glm::normalize(glm::cross(glm::vec3(0.0f, 1.0f, 0.0f), sun.direction));
  return {x, glm::cross(sun.direction, x), sun.direction};
}

// Depth is 1 at what is nearest to the sun and 0 below the ground, for all that is within the sides.
Cascade cascadeAround(const Sphere& sphere, const SunAxes& axes, float tallest) {
  const float radius = sphere.radius, texel = 2.0f * radius / static_cast<float>(kShadowMapSide);
  const float x = texel * std::round(glm::dot(axes.x, sphere.center) / texel);
  const float y = texel * std::round(glm::dot(axes.y, sphere.center) / texel);
  const float z = glm::dot(axes.z, sphere.center);
  // At the height h, across the axis by at most the radius: center.y + radius * axes.y.y + along * axes.z.y = h.
  const float above = (tallest - sphere.center.y + radius * axes.y.y) / axes.z.y;
  const float below = (sphere.center.y + radius * axes.y.y + 1.0f) / axes.z.y;
  const float nearest = z + std::max(above, radius), depth = nearest - z + std::max(below, radius);

  Cascade cascade = {};
  for (int axis = 0; axis < 3; ++axis)
    cascade.fromWorld[axis] = {axes.x[axis] / radius, axes.y[axis] / radius, axes.z[axis] / depth, 0.0f};
  cascade.fromWorld[3] = {-x / radius, -y / radius, 1.0f - nearest / depth, 1.0f};
  cascade.texel = texel;
  cascade.behind = (depth + z - nearest - radius) / depth;
  cascade.edgesPerDepth = depth / radius;
  return cascade;
}

}  // namespace

void fitCascades(FrameConstants& constants, const Sun& sun) {
  const SunAxes axes = axesOf(sun);
  for (uint32_t index = 0; index < kCascadeCount; ++index) {
    const float begin = splitDistance(index, sun.reach), end = splitDistance(index + 1, sun.reach);
    constants.cascades[index] = cascadeAround(sphereAround(constants, begin, end), axes, sun.tallest);
    constants.cascades[index].begin = begin;
  }
}

SluView viewOf(const Cascade& cascade, const SluView& camera) {
  SluView view = camera;
  view.flags = SLU_VIEW_ORTHOGRAPHIC_BIT;
  // The far plane lies behind the sphere that is covered; in front of it, everything is between it and the sun.
  glm::mat4 matrix = cascade.fromWorld;
  matrix[3][2] -= cascade.behind;
  sluGetFrustumPlanes(glm::value_ptr(matrix), view.planes);
  const float everything[] = {0.0f, 0.0f, 0.0f, 1.0f};
  std::copy(std::begin(everything), std::end(everything), view.planes[5]);
  view.minSizeRatio = cascade.texel;
  for (float& distance : view.lodDistances) distance /= std::max(cascade.begin, 1.0f);
  return view;
}

}  // namespace demo
