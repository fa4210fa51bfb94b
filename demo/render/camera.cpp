#include "render/camera.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <limits>

namespace demo {
namespace {

glm::vec3 catmullRom(const glm::vec3& a, const glm::vec3& b, const glm::vec3& c, const glm::vec3& d, float t) {
  return 0.5f * (2.0f * b + (c - a) * t + (2.0f * a - 5.0f * b + 4.0f * c - d) * t * t +
                 (3.0f * b - a - 3.0f * c + d) * t * t * t);
}

// Clip z = near, w = distance along the view: depth is 1 at the near plane and approaches 0.
glm::mat4 reversedPerspective(float fieldOfView, float aspect, float nearDistance) {
  const float focal = 1.0f / std::tan(fieldOfView / 2.0f);
  glm::mat4 matrix(0.0f);
  matrix[0][0] = focal / aspect;
  matrix[1][1] = -focal;  // Vulkan's y points down
  matrix[2][3] = -1.0f;
  matrix[3][2] = nearDistance;
  return matrix;
}

}  // namespace

PathPoint pointOnPath(std::span<const PathPoint> path, float t) {
  const auto last = static_cast<int>(path.size()) - 1;
  const float place = std::clamp(t, 0.0f, 1.0f) * static_cast<float>(last);
  const int segment = std::min(static_cast<int>(place), last - 1);
  const float local = place - static_cast<float>(segment);
  const auto at = [&](int index) -> const PathPoint& { return path[static_cast<size_t>(std::clamp(index, 0, last))]; };
  const PathPoint &a = at(segment - 1), &b = at(segment), &c = at(segment + 1), &d = at(segment + 2);
  return {catmullRom(a.eye, b.eye, c.eye, d.eye, local), catmullRom(a.target, b.target, c.target, d.target, local)};
}

float placeOnPath(uint32_t frame, uint32_t frameCount) {
  return frameCount > 1 ? static_cast<float>(frame) / static_cast<float>(frameCount - 1) : 0.5f;
}

float timeOnPath(float place) { return 100.0f + 16.0f * place; }

FrameConstants frameConstants(const Camera& camera, uint32_t width, uint32_t height, float time) {
  const float aspect = static_cast<float>(width) / static_cast<float>(height);
  const float halfHeight = std::tan(camera.fieldOfView / 2.0f);
  const glm::vec3 forward = glm::normalize(camera.target - camera.eye);
  const glm::vec3 right = glm::normalize(glm::cross(forward, glm::vec3(0.0f, 1.0f, 0.0f)));
  const glm::vec3 up = glm::cross(right, forward);
  const float pixel = 2.0f * halfHeight / static_cast<float>(height);

  FrameConstants constants = {};
  constants.viewProjection = reversedPerspective(camera.fieldOfView, aspect, camera.nearDistance) *
                             glm::lookAt(camera.eye, camera.target, glm::vec3(0.0f, 1.0f, 0.0f));
  constants.eye = glm::vec4(camera.eye, camera.nearDistance);
  constants.right = glm::vec4(right * halfHeight * aspect, pixel);
  constants.up = glm::vec4(up * halfHeight, 0.0f);
  constants.forward = glm::vec4(forward, time);
  const glm::vec2 size(static_cast<float>(width), static_cast<float>(height));
  constants.viewport = glm::vec4(size, 1.0f / size);
  return constants;
}

SluView viewOf(const Camera& camera, const FrameConstants& constants, float minPixels) {
  SluView view = {};
  sluGetFrustumPlanes(glm::value_ptr(constants.viewProjection), view.planes);
  for (int axis = 0; axis < 3; ++axis) view.eye[axis] = camera.eye[axis];
  view.minDistance = 0.0f;
  view.maxDistance = std::numeric_limits<float>::infinity();
  view.minSizeRatio = minPixels * std::tan(camera.fieldOfView / 2.0f) * constants.viewport.w;
  return view;
}

}  // namespace demo
