// What a pyramid must hold, by brute force: each texel looks at all of its pixels. It shares no code with the library.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "random.h"

namespace slu::test {

struct PyramidCase {
  std::uint32_t width, height;
  std::uint32_t layerCount = 1;
  bool isReversed = false;
  std::uint32_t frameNumber = 0;
};

std::string describe(const PyramidCase& pyramid);

// Of a pixel of a layer.
using DepthAt = std::function<float(std::uint32_t layer, std::uint32_t x, std::uint32_t y)>;

// Returns the words of the whole pyramid.
std::vector<std::uint32_t> foldByForce(const PyramidCase& pyramid, const DepthAt& depthAt);

// Sizes around everything that a build depends on: tiles of 64 pixels, levels, and the tiles of tiles.
std::vector<PyramidCase> pyramidCases();

// Depths that passes write, and once in a while one that none should.
float anyDepth(Random& random);
// A depth from 0 to 1, its ends and denormals included.
float goodDepth(Random& random);

}  // namespace slu::test
