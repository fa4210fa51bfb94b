#include "fold.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>

namespace slu::test {
namespace {

std::uint32_t bitsOf(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

std::uint32_t dividedUp(std::uint32_t size, std::uint64_t by) {
  return static_cast<std::uint32_t>((size + by - 1) / by);
}

}  // namespace

std::vector<std::uint32_t> foldByForce(const PyramidCase& pyramid, const DepthAt& depthAt) {
  const float farPlane = pyramid.isReversed ? 0.0f : 1.0f;
  std::vector<std::uint32_t> words(16);
  std::uint32_t levelCount = 0;
  for (std::uint32_t layer = 0; layer < pyramid.layerCount; ++layer) {
    levelCount = 0;
    for (std::uint64_t square = 2;; square *= 2) {
      const std::uint32_t columns = dividedUp(pyramid.width, square), rows = dividedUp(pyramid.height, square);
      // Starts from the near plane.
      std::vector<float> texels(std::size_t{columns} * rows, pyramid.isReversed ? 1.0f : 0.0f);
      for (std::uint32_t y = 0; y < pyramid.height; ++y) {
        for (std::uint32_t x = 0; x < pyramid.width; ++x) {
          float depth = depthAt(layer, x, y);
          if (std::isnan(depth) || std::signbit(depth) || depth > 1.0f) depth = farPlane;
          float& texel = texels[(y / square) * columns + x / square];
          texel = pyramid.isReversed ? std::min(texel, depth) : std::max(texel, depth);
        }
      }
      std::ranges::transform(texels, std::back_inserter(words), bitsOf);
      ++levelCount;
      if (columns == 1 && rows == 1) break;
    }
  }
  words[0] = 0x31595053;  // "SPY1"
  words[1] = pyramid.width;
  words[2] = pyramid.height;
  words[3] = pyramid.layerCount;
  words[4] = levelCount;
  words[5] = pyramid.isReversed ? 1 : 0;
  words[6] = static_cast<std::uint32_t>((words.size() - 16) / pyramid.layerCount);
  words[7] = pyramid.frameNumber;
  return words;
}

}  // namespace slu::test
