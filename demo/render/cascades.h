// Fits the shadow cascades of a sun to a camera: each covers the part of its frustum up to a distance, the nearest one
// with the finest texels.
#pragma once

#include <sluice/sluice.h>

#include <span>

#include "shaders/shared.h"

namespace demo {

struct Sun {
  glm::vec3 direction;  // of unit length, towards the sun, which is above the horizon
  float reach;          // shadows end that far ahead of the eye
  float tallest;        // nothing that casts a shadow is higher
};

// Sets the cascades of the camera whose constants these are. While its lens stays the same, a cascade keeps its size
// and moves by whole texels, so that shadows do not swim.
void fitCascades(FrameConstants& constants, const Sun& sun);

// Returns the view of what casts shadows into the cascade: what lies beside it or behind it is culled, what lies
// between it and the sun is not. A level of detail is taken if the camera's view takes it where the cascade begins.
SluView viewOf(const Cascade& cascade, const SluView& camera);

}  // namespace demo
