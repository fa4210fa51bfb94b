#include "verify/pick_check.h"

#include <array>
#include <cmath>
#include <glm/gtc/quaternion.hpp>

#include "base/failure.h"
#include "verify/value_at.h"

namespace demo {
namespace {

struct Sphere {
  glm::vec3 center;
  float radius;
};

// A matrix is a rotation times a scale.
Sphere boundsOf(const CompactionRequest& request, const PerChannel<std::span<std::byte>>& copies, const Pick& pick) {
  const SluPlanCreateInfo& plan = request.plan;
  const SluBounds& bounds = plan.bounds;
  const std::span<const std::byte> record =
      copies[Channel::Records].subspan(size_t{pick.record->index} * plan.recordStride, plan.recordStride);
  glm::vec4 local(0.0f);
  if (bounds.source == SLU_BOUNDS_IN_RECORD)
    local = valueAt<glm::vec4>(record, bounds.offset);
  else if (bounds.source == SLU_BOUNDS_PER_KEY)
    local = valueAt<glm::vec4>(copies[Channel::Bounds], size_t{pick.key} * bounds.stride + bounds.offset);
  else
    local = valueAt<glm::vec4>(copies[Channel::Meshes], size_t{pick.key} * plan.meshes.stride + bounds.offset);
  Sphere sphere = {glm::vec3(local), local.w};
  if (bounds.transformFlags & SLU_TRANSFORM_MATRIX_BIT) {
    const auto rows = valueAt<std::array<glm::vec4, 3>>(record, bounds.matrixOffset);
    const glm::vec4 center(sphere.center, 1.0f), column(rows[0].x, rows[1].x, rows[2].x, 0.0f);
    return {{glm::dot(rows[0], center), glm::dot(rows[1], center), glm::dot(rows[2], center)},
            glm::length(column) * sphere.radius};
  }
  if (bounds.transformFlags & SLU_TRANSFORM_SCALE_BIT) {
    const auto scale = valueAt<float>(record, bounds.scaleOffset);
    sphere = {scale * sphere.center, std::abs(scale) * sphere.radius};
  }
  if (bounds.transformFlags & SLU_TRANSFORM_ROTATION_BIT) {
    const auto q = valueAt<glm::vec4>(record, bounds.rotationOffset);
    sphere.center = glm::quat(q.w, q.x, q.y, q.z) * sphere.center;
  }
  if (bounds.transformFlags & SLU_TRANSFORM_POSITION_BIT)
    sphere.center += valueAt<glm::vec3>(record, bounds.positionOffset);
  return sphere;
}

// Returns how far a sphere's center is from the ray through the middle of a pixel.
float distanceToRay(const glm::vec3& center, glm::uvec2 pixel, const FrameConstants& render) {
  const glm::vec2 place = (glm::vec2(pixel) + 0.5f) * glm::vec2(render.viewport.z, render.viewport.w) * 2.0f - 1.0f;
  const glm::vec3 way =
      glm::normalize(glm::vec3(render.forward) + place.x * glm::vec3(render.right) - place.y * glm::vec3(render.up));
  const glm::vec3 toCenter = center - glm::vec3(render.eye);
  return glm::length(glm::cross(way, toCenter));
}

}  // namespace

std::vector<std::string> checkPick(const Pick& pick, const CompactionRequest& request,
                                   const PerChannel<std::span<std::byte>>& copies, const FrameConstants& render) {
  if (!pick.record) return {};
  std::vector<std::string> differences;
  const std::span<const std::byte> indices = copies[Channel::Indices];
  const size_t place = size_t{pick.record->place} * sizeof(uint32_t);
  if (place >= indices.size() || valueAt<uint32_t>(indices, place) != pick.record->index) {
    differences.push_back(sentence("pick: instance ", pick.record->index, " is not kept at ", pick.record->place));
    return differences;
  }
  if (request.plan.bounds.source == SLU_BOUNDS_NONE) return differences;
  const Sphere sphere = boundsOf(request, copies, pick);
  // Everything that is drawn of a record lies within its bounds, except for rounding.
  const float distance = distanceToRay(sphere.center, pick.pixel, render);
  if (!(distance <= 1.001f * sphere.radius + 1e-4f))
    differences.push_back(sentence("pick: instance ", pick.record->index, " of radius ", sphere.radius, " lies ",
                                   distance, " beside the ray through ", pick.pixel.x, ',', pick.pixel.y));
  return differences;
}

}  // namespace demo
