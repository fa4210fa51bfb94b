// The check of a simulation: what it passes, and that it sees what is wrong. And what the step says of the galaxy.
#include "scenes/particle_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "shaders/particle_step.h"
#include "support/random.h"

namespace demo {
namespace {

class ParticleCheck : public testing::Test {
 protected:
  ParticleCheck() : count(random.between(20'000, 60'000)), time(random.uniform(0.0f, 100.0f)) {
    inUse = particlesInUse(count, time);
    particles.resize(count);
    for (uint32_t index = 0; index < inUse; ++index) particles[index] = particleAt(index, count, time);
  }

  std::vector<std::string> check() const { return checkParticles(particles, inUse, time); }

  // Changes one in a hundred of those that live.
  void spoil(const std::function<void(Particle&)>& change) {
    for (uint32_t index = 0; index < inUse; ++index)
      if (particles[index].life > 0.0f && random.chance(0.01)) change(particles[index]);
  }

  testing::ScopedTrace seed{__FILE__, __LINE__, slu::test::describeSeed()};
  slu::test::Random random;
  uint32_t count;
  float time;
  uint32_t inUse = 0;
  std::vector<Particle> particles;
};

TEST_F(ParticleCheck, PassesWhatTheSourceGives) { EXPECT_EQ(check(), std::vector<std::string>()); }

TEST_F(ParticleCheck, PassesOtherLastDigitsAndALifeThatEndsJustThen) {
  for (Particle& particle : particles) {
    particle.position += random.uniform(-0.03f, 0.03f);
    particle.velocity += random.uniform(-0.03f, 0.03f);
    particle.life += random.uniform(-0.005f, 0.005f);
  }
  particles[random.below(inUse)] = {};
  ++inUse;
  EXPECT_EQ(check(), std::vector<std::string>());
}

TEST_F(ParticleCheck, SeesEachFieldThatIsWrong) {
  const std::vector<Particle> good = particles;
  const std::function<void(Particle&)> changes[] = {
      [](Particle& particle) { particle.position.y += 0.1f; },
      [](Particle& particle) { particle.velocity.z -= 0.1f; },
      [](Particle& particle) { particle.life += 0.02f; },
      [](Particle& particle) { particle.life = std::numeric_limits<float>::quiet_NaN(); },
      [](Particle& particle) { particle.position.x = std::numeric_limits<float>::quiet_NaN(); },
      [](Particle& particle) { particle.colour ^= 0x04000000u; },
      [](Particle& particle) { particle = {}; }};
  for (const auto& change : changes) {
    particles = good;
    spoil(change);
    const std::vector<std::string> differences = check();
    ASSERT_EQ(differences.size(), 1u) << "change " << &change - changes;
    EXPECT_NE(differences[0].find("particles are not what they must be"), std::string::npos) << differences[0];
  }
}

TEST_F(ParticleCheck, SeesWhatIsOfAnotherMoment) {
  time += 0.1f;
  EXPECT_FALSE(check().empty());
}

TEST_F(ParticleCheck, SeesACountThatIsWrong) {
  const uint32_t right = inUse;
  for (const uint32_t wrong : {0u, right - count / 100, right + count / 100, ~0u}) {
    inUse = wrong;
    const std::vector<std::string> differences = check();
    ASSERT_EQ(differences.size(), 1u) << wrong;
    EXPECT_NE(differences[0].find(std::to_string(wrong) + " particles are in use, must be " + std::to_string(right)),
              std::string::npos)
        << differences[0];
  }
}

// A plan has something to drop, and something else each time.
TEST_F(ParticleCheck, AGalaxyHasMostOfItsParticlesDeadAndOthersLater) {
  uint32_t alive = 0, changed = 0;
  for (uint32_t index = 0; index < inUse; ++index) {
    const bool isAlive = particles[index].life > 0.0f;
    alive += isAlive;
    changed += isAlive != (particleAt(index, count, time + 5.0f).life > 0.0f);
  }
  EXPECT_GT(alive, inUse / 4);
  EXPECT_LT(alive, inUse / 2);
  EXPECT_GT(changed, inUse / 4);
  EXPECT_GE(inUse, count / 2);
  EXPECT_LE(inUse, count);
}

}  // namespace
}  // namespace demo
