// Cameras, and the path they follow.
#pragma once

#include <sluice/sluice.h>

#include <span>

#include "shaders/shared.h"

namespace demo {

struct Camera {
  glm::vec3 eye;
  glm::vec3 target;
  float fieldOfView;  // vertical, radians
  float nearDistance;
};

struct PathPoint {
  glm::vec3 eye;
  glm::vec3 target;
};

// The point at t, 0 to 1, of a smooth curve through all points, each as far from the next in t.
PathPoint pointOnPath(std::span<const PathPoint> path, float t);

// The place on a path, 0 to 1, of one of so many frames: both ends are frames; a single frame lies in the middle.
float placeOnPath(uint32_t frame, uint32_t frameCount);

// The time of the simulation at a place on a scene's path, seconds.
float timeOnPath(float place);

FrameConstants frameConstants(const Camera& camera, uint32_t width, uint32_t height, float time);

// Frustum and eye; distances without limit, no size limit. minPixels: the diameter below which a record is culled.
SluView viewOf(const Camera& camera, const FrameConstants& constants, float minPixels);

}  // namespace demo
