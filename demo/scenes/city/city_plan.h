// Where what of the city stands. Deterministic.
#pragma once

#include <vector>

#include "shaders/shared.h"

namespace demo {

// Blocks from the middle outwards, until there are so many instances.
std::vector<MeshInstance> placeCity(uint32_t count);

}  // namespace demo
