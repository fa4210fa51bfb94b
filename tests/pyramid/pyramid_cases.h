// Sizes and depths that builds of pyramids are tried with.
#pragma once

#include <string>
#include <vector>

#include "fold.h"
#include "random.h"

namespace slu::test {

std::string describe(const PyramidCase& pyramid);

// Sizes around everything that a build depends on: tiles of 64 pixels, levels, and the tiles of tiles.
std::vector<PyramidCase> pyramidCases();

// Depths that passes write, and once in a while one that none should.
float anyDepth(Random& random);
// A depth from 0 to 1, its ends and denormals included.
float goodDepth(Random& random);

}  // namespace slu::test
