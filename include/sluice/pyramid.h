// How a depth pyramid lies in memory, and what its builds compute, for C++, CUDA and GLSL. A shader that reads a
// pyramid includes this file. sluice_pyramid.h says what a pyramid is.
//
// Pixels are those that were folded. Levels are numbered from 0. Words are floats, or numbers of 32 bits in the header.
#ifndef SLUICE_PYRAMID_H
#define SLUICE_PYRAMID_H

#include "sluice/language.h"
#include "sluice/pyramid_values.h"

SLU_NAMESPACE_BEGIN

// Tells how many texels a level has along an axis: one for each 2^(level + 1) pixels, and one for the rest.
// size is how many pixels there are, at least 1.
// level is below SLU_MAX_PYRAMID_LEVELS.
// Returns at least 1.
SLU_FUNCTION uint sluPyramidLevelSize(uint size, uint level) { return ((size - 1u) >> (level + 1u)) + 1u; }

// Tells how many levels there are. The last one is a single texel.
// width is at least 1.
// height is at least 1.
// Returns 1 to SLU_MAX_PYRAMID_LEVELS.
SLU_FUNCTION uint sluPyramidLevels(uint width, uint height) {
  uint last = (width > height ? width : height) - 1u;
  uint levels = 1u;
  while ((last >> levels) != 0u) ++levels;
  return levels;
}

// Tells where a level begins.
// width is in pixels.
// height is in pixels.
// level may be the number of levels, for where the last one ends.
// Returns the words of the layer's levels before it.
SLU_FUNCTION uint sluPyramidLevelStart(uint width, uint height, uint level) {
  uint words = 0u;
  for (uint i = 0u; i < level; ++i) words += sluPyramidLevelSize(width, i) * sluPyramidLevelSize(height, i);
  return words;
}

// Tells how large a layer is.
// width is in pixels.
// height is in pixels.
// Returns its words.
SLU_FUNCTION uint sluPyramidLayerWords(uint width, uint height) {
  return sluPyramidLevelStart(width, height, sluPyramidLevels(width, height));
}

// Tells where a texel lies.
// width is in pixels.
// height is in pixels.
// layer is its number.
// level is below the number of levels.
// x is below the level's width.
// y is below the level's height.
// Returns the number of its word, from the first word of the pyramid's header.
SLU_FUNCTION uint sluPyramidTexel(uint width, uint height, uint layer, uint level, uint x, uint y) {
  uint first = SLU_PYRAMID_HEADER_WORDS + layer * sluPyramidLayerWords(width, height);
  return first + sluPyramidLevelStart(width, height, level) + y * sluPyramidLevelSize(width, level) + x;
}

// Tells what a depth counts as. Floats that are not negative are ordered as their bits are, so builds fold bits, and no
// device can flush a denormal.
// bits are those of the float.
// direction is SLU_DEPTH_FORWARD or SLU_DEPTH_REVERSED.
// Returns the bits, or those of the far plane unless the depth is from 0 to 1: for NaN, infinities, -0 and less, and
// what is above 1.
SLU_FUNCTION uint sluDepthBits(uint bits, uint direction) {
  const uint one = 0x3f800000u;
  uint farPlane = direction == SLU_DEPTH_REVERSED ? 0u : one;
  return bits <= one ? bits : farPlane;
}

// Tells which of two depths is farther.
// a is what `sluDepthBits` returns.
// b is what `sluDepthBits` returns.
// direction is SLU_DEPTH_FORWARD or SLU_DEPTH_REVERSED.
// Returns one of the two.
SLU_FUNCTION uint sluFartherBits(uint a, uint b, uint direction) {
  return (a < b) == (direction == SLU_DEPTH_REVERSED) ? a : b;
}

SLU_NAMESPACE_END

#endif
