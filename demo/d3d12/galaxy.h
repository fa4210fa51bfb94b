// The scene: the demo's galaxy at one moment, most of its particles dead, with stars all around; and the demo's camera.
#pragma once

#include <vector>

#include "render/camera.h"
#include "shaders/particle_step.h"

namespace demo {

struct Point {
  glm::vec3 center;  // with the radius the bounding sphere
  float radius;
  float life;       // seconds left; 0 or below: dead
  uint32_t colour;  // RGBA8; alpha is the size class of the demo's particles, and its upper bits are the kind
};
constexpr uint32_t kKindCount = 4, kKindShift = 30;  // 0: stars, 2: gas, 3: clouds

// A star that lives for ever, in a shell around the galaxy.
inline Particle farStar(uint32_t index) {
  const uint32_t h = hash(index) * 8u;
  const float y = 2.0f * unitHash(h) - 1.0f, flat = std::sqrt(1.0f - y * y);
  const float angle = 6.2831853f * unitHash(h + 1u), distance = 150.0f + 250.0f * unitHash(h + 2u);
  const glm::vec3 tint = glm::mix(glm::vec3(1.0f, 0.7f, 0.46f), glm::vec3(0.56f, 0.74f, 1.0f), unitHash(h + 3u));
  return {distance * glm::vec3(flat * std::cos(angle), y, flat * std::sin(angle)), 1.0f, glm::vec3(0.0f),
          glm::packUnorm4x8(glm::vec4(tint, 0.24f * unitHash(h + 4u)))};
}

inline std::vector<Point> makeGalaxy(uint32_t count) {
  const float scale = glm::clamp(std::pow(300'000.0f / static_cast<float>(count), 0.12f), 0.5f, 1.6f);
  std::vector<Point> points(count);
  for (uint32_t index = 0; index < count; ++index) {
    const Particle particle = index % 16 == 0 ? farStar(index) : particleAt(index, count, timeOnPath(0.2f));
    const float size = glm::unpackUnorm4x8(particle.colour).a;
    const float diameter = size > 0.8f ? 4.2f : size > 0.3f ? 1.7f : 0.1f + size;
    points[index] = {particle.position, 0.5f * scale * diameter, particle.life, particle.colour};
  }
  return points;
}

// The way of the camera: in from afar, and down to the rim of the galaxy.
constexpr PathPoint kPath[] = {{{-10.0f, 62.0f, 96.0f}, {0.0f, -4.0f, 0.0f}},
                               {{34.0f, 46.0f, 74.0f}, {0.0f, -4.0f, 0.0f}},
                               {{62.0f, 30.0f, 40.0f}, {0.0f, -3.0f, 0.0f}},
                               {{66.0f, 19.0f, -6.0f}, {0.0f, -1.0f, 0.0f}}};

inline Camera cameraAt(float place) {
  const PathPoint point = pointOnPath(kPath, place);
  return {point.eye, point.target, 0.8f, 0.1f};
}

}  // namespace demo
