// Defines cameras and the paths they follow.
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

// Returns the point at t, 0 to 1, of a smooth curve through all points, which are evenly spaced in t.
PathPoint pointOnPath(std::span<const PathPoint> path, float t);

// Returns the place on a path, 0 to 1, of one of frameCount frames. Both ends are frames; a single frame lies in the
// middle.
float placeOnPath(uint32_t frame, uint32_t frameCount);

// Returns the time of the simulation, in seconds, at a place on a scene's path.
float timeOnPath(float place);

FrameConstants frameConstants(const Camera& camera, uint32_t width, uint32_t height, float time);

// The view has the camera's frustum and eye, and no limit of distance. A record whose diameter is below minPixels is
// culled.
SluView viewOf(const Camera& camera, const FrameConstants& constants, float minPixels);

}  // namespace demo
