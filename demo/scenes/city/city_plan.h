// Places the instances of the city. The result is the same on every machine.
#pragma once

#include <vector>

#include "shaders/shared.h"

namespace demo {

// Fills blocks from the middle outwards, until there are count instances.
std::vector<MeshInstance> placeCity(uint32_t count);

}  // namespace demo
