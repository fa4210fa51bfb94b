#include "scenes/particle_check.h"

#include <algorithm>
#include <cmath>
#include <glm/gtc/epsilon.hpp>

#include "base/failure.h"
#include "shaders/particle_step.h"

namespace demo {
namespace {

// Vulkan's sine and cosine may be wrong by 2^-11; the galaxy is less than 100 in radius.
constexpr float kLengthTolerance = 0.06f;
constexpr float kLifeTolerance = 0.01f;  // seconds
constexpr int kColourTolerance = 2;      // of 255
// Records that may be wrong altogether, one in so many.
constexpr uint32_t kPerException = 2000;
// The sine again: 0.2 * 2^-11 of the buffer.
constexpr uint32_t kPerUncertainUse = 10000;

bool isNear(glm::vec3 a, glm::vec3 b) { return glm::all(glm::epsilonEqual(a, b, kLengthTolerance)); }

bool isNearColour(uint32_t a, uint32_t b) {
  for (uint32_t shift = 0; shift < 32; shift += 8)
    if (std::abs(static_cast<int>(a >> shift & 255u) - static_cast<int>(b >> shift & 255u)) > kColourTolerance)
      return false;
  return true;
}

// The places of dead particles are not compared.
bool isNear(const Particle& actual, const Particle& expected) {
  if (!(std::abs(actual.life - expected.life) <= kLifeTolerance)) return false;
  return expected.life <= 0.0f ||
         (isNear(actual.position, expected.position) && isNear(actual.velocity, expected.velocity) &&
          isNearColour(actual.colour, expected.colour));
}

}  // namespace

std::vector<std::string> checkParticles(std::span<const Particle> particles, uint32_t inUse, float time) {
  std::vector<std::string> differences;
  const auto count = static_cast<uint32_t>(particles.size());
  const uint32_t expectedUse = particlesInUse(count, time);
  const uint32_t uncertain = 1 + count / kPerUncertainUse;
  if (std::max(inUse, expectedUse) - std::min(inUse, expectedUse) > uncertain)
    differences.push_back(sentence("simulation: ", inUse, " particles are in use, must be ", expectedUse));

  const uint32_t checked = std::min(inUse, expectedUse);
  uint32_t wrong = 0, firstWrong = 0;
  for (uint32_t index = 0; index < checked; ++index) {
    if (isNear(particles[index], particleAt(index, count, time))) continue;
    if (wrong++ == 0) firstWrong = index;
  }
  if (wrong > 1 + checked / kPerException)
    differences.push_back(sentence("simulation: ", wrong, " of ", checked,
                                   " particles are not what they must be, the first at index ", firstWrong));
  return differences;
}

}  // namespace demo
