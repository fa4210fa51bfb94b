// The arguments of the kernel that builds pyramids.
#pragma once

#include "../../../../shaders/shared/pyramid_block.h"

namespace slu::cuda {

struct PyramidArguments {
  SLU_ADDRESS pyramid;
  SLU_ADDRESS depths;
  SLU_ADDRESS arrivals;    // a word per layer, and one
  SLU_ADDRESS layerWords;  // of the depths, in place of the block's, which has 32 bits
  PyramidBlock block;      // whose numbers of first words are not used
  uint direction;
  uint reserved;
};

}  // namespace slu::cuda
