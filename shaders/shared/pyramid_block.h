// What a build of a pyramid is told: the push constants of shaders/pyramid.comp, and parameters of the CUDA kernel.
#ifndef SLU_PYRAMID_BLOCK_H
#define SLU_PYRAMID_BLOCK_H

#include "sluice/pyramid.h"

#define SLU_PYRAMID_WORKGROUP 256  // invocations
#define SLU_PYRAMID_EDGE 32u       // texels along an edge of what a workgroup writes of its first level: a tile
#define SLU_PYRAMID_STEP 6u        // levels of a tile, the last of which has one texel

// Parts of a build that a dispatch has (kParts).
#define SLU_PYRAMID_TILES 1u  // the first SLU_PYRAMID_STEP levels
#define SLU_PYRAMID_REST 2u   // the levels behind them, and the header

SLU_NAMESPACE_BEGIN

struct PyramidBlock {
  uint width;  // pixels
  uint height;
  uint layerCount;
  uint frameNumber;
  uint pyramidWord;  // the number of the pyramid's first word in its binding
  uint depthWord;    // of a buffer: the number of the first depth's word in its binding
  uint rowWords;     // of a buffer: from one row to the next
  uint layerWords;   // of a buffer: from one layer to the next
  uint firstX;       // of an image: the first pixel that is folded
  uint firstY;
};

SLU_NAMESPACE_END

#endif
