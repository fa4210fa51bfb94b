#include "random.h"

#include <bit>
#include <cstdlib>
#include <cstring>
#include <random>

namespace slu::test {

bool takesAll() {
  const char* text = std::getenv("SLUICE_TEST_ALL");
  return text != nullptr && std::strcmp(text, "1") == 0;
}

std::uint64_t testSeed() {
  static const std::uint64_t seed = [] {
    if (const char* text = std::getenv("SLUICE_TEST_SEED")) return std::uint64_t{std::strtoull(text, nullptr, 0)};
    return std::uint64_t{std::random_device{}()};
  }();
  return seed;
}

std::string describeSeed() { return "repeat with SLUICE_TEST_SEED=" + std::to_string(testSeed()); }

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& state : state_) {
    seed += 0x9e3779b97f4a7c15u;
    std::uint64_t mixed = (seed ^ (seed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    state = mixed ^ (mixed >> 31);
  }
  due_ = static_cast<double>(state_[0] >> 11) * 0x1p-53;
}

std::uint64_t Random::next() {
  const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

std::uint32_t Random::below(std::uint32_t bound) {
  return static_cast<std::uint32_t>((std::uint64_t{word()} * bound) >> 32);
}

std::uint32_t Random::between(std::uint32_t first, std::uint32_t last) { return first + below(last - first + 1); }

float Random::uniform(float low, float high) {
  return low + (high - low) * (static_cast<float>(word() >> 8) * 0x1p-24f);
}

bool Random::chance(double probability) { return static_cast<double>(next() >> 11) * 0x1p-53 < probability; }

bool Random::samples(double share) {
  if (takesAll()) return true;
  due_ += share;
  if (due_ < 1.0) return false;
  due_ -= 1.0;
  return true;
}

void Random::fill(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const std::uint64_t value = next();
    const std::size_t count = bytes.size() < sizeof(value) ? bytes.size() : sizeof(value);
    std::memcpy(bytes.data(), &value, count);
    bytes = bytes.subspan(count);
  }
}

}  // namespace slu::test
