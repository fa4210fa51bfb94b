// Whether a simulation left the galaxy's particles as they are at that moment, whoever computed them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shaders/shared.h"

namespace demo {

// particles: the whole buffer, of which the first inUse were written. The differences from the same source in C++, a
// sentence each, or nothing. Devices differ in the last digits of their functions, and with these in which of its lives
// a particle is whose next one begins just then: few may be wholly different.
std::vector<std::string> checkParticles(std::span<const Particle> particles, uint32_t inUse, float time);

}  // namespace demo
