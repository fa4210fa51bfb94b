// What frames that test occlusion read: cameras, and pyramids of what they see.
#pragma once

#include <array>

#include "random.h"
#include "scene.h"

namespace slu::test {

using Point = std::array<double, 3>;

// A point of the world in clip space, by a matrix of floats and the arithmetic of doubles.
struct Clip {
  double x, y, z, w;
};

// A camera, from which a matrix is made.
struct PyramidCamera {
  Point eye{}, right{1, 0, 0}, up{0, 1, 0}, forward{0, 0, 1};
  double halfX = 1, halfY = 1;           // of the picture at a distance of 1; of an orthographic camera at any distance
  double shiftX = 0, shiftY = 0;         // of the picture's middle, in clip x / w: skewed pictures and jitter
  double nearest = 0.1, farthest = 100;  // what z / w of 0 and 1 stand for; the farthest may be infinite
  bool isOrthographic = false, isReversed = false;

  // A point by what it is to the right, above and ahead of the eye.
  Point at(double x, double y, double ahead) const;
  double distanceOf(const Point& point) const;  // along `forward`
  double depthAt(double distance) const;        // clip z / w there
  void getMatrix(float (&matrix)[16]) const;    // column-major
};

Clip applyMatrix(const float (&matrix)[16], const Point& point);

// Looks anywhere.
PyramidCamera makePyramidCamera(const Point& eye, Random& random);

// Turns a camera to another direction.
void turn(PyramidCamera& camera, const Point& forward, const Point& up);

// Cameras for the views of a frame that finds out what is visible: fills its OcclusionSpec, and the planes of the views if
// there are views, but not the pyramid.
std::vector<PyramidCamera> makeCameras(FrameSpec& frame, Random& random);

// The bytes of the frame's pyramid, built by the CPU route from walls and holes at any distance of the cameras. Now and
// then it is not what the frame says, or holds garbage.
Bytes makePyramid(const FrameSpec& frame, const std::vector<PyramidCamera>& cameras, Random& random);

// Depths of all layers whose left half, of a pixel less if the width is odd, is a wall, and whose rest is the far plane.
std::vector<float> halfWall(const OcclusionSpec& occlusion, bool isReversed, float depth);

// Builds a pyramid on the CPU route. depths: of all layers.
Bytes buildPyramid(std::uint32_t width, std::uint32_t height, std::uint32_t layerCount, bool isReversed,
                   std::vector<float> depths);

}  // namespace slu::test
