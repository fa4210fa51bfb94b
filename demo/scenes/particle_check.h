// Checks the galaxy's particles after a simulation, on a GPU or in C++.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shaders/shared.h"

namespace demo {

// Returns a sentence for each difference from the same source in C++. particles is the whole buffer; the first inUse of
// it were written. Devices differ in the last digits of their functions. So a particle that is about to be born again
// may be in another of its lives, and a few particles may differ completely.
std::vector<std::string> checkParticles(std::span<const Particle> particles, uint32_t inUse, float time);

}  // namespace demo
