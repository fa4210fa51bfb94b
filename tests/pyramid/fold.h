// What a pyramid must hold, by brute force: each texel looks at all of its pixels. It shares no code with the library.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

namespace slu::test {

struct PyramidCase {
  std::uint32_t width, height;
  std::uint32_t layerCount = 1;
  bool isReversed = false;
  std::uint32_t frameNumber = 0;
};

// Of a pixel of a layer.
using DepthAt = std::function<float(std::uint32_t layer, std::uint32_t x, std::uint32_t y)>;

// Returns the words of the whole pyramid.
std::vector<std::uint32_t> foldByForce(const PyramidCase& pyramid, const DepthAt& depthAt);

}  // namespace slu::test
