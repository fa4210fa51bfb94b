// Random numbers that are fresh in each run and repeatable on request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>

namespace slu::test {

// SLUICE_TEST_ALL=1: all runs of which tests otherwise take a part.
bool takesAll();

// One seed per process: the environment's SLUICE_TEST_SEED, or a new one.
std::uint64_t testSeed();

// What a failing test prints, so that it can be repeated.
std::string describeSeed();

// xoshiro256** of Blackman and Vigna, seeded through splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed = testSeed());

  std::uint64_t next();
  std::uint32_t word() { return static_cast<std::uint32_t>(next() >> 32); }
  std::uint32_t below(std::uint32_t bound);                        // 0 to bound - 1
  std::uint32_t between(std::uint32_t first, std::uint32_t last);  // both included
  float uniform(float low, float high);
  bool chance(double probability);
  // Of combinations that would take too long all together, whether this one runs: such a share of them, spread evenly from
  // a random one on, and all with SLUICE_TEST_ALL=1. Of 1 / share in a row one runs, so that no test is left with none.
  bool samples(double share);
  void fill(std::span<std::uint8_t> bytes);

  template <typename Value>
  Value pick(std::initializer_list<Value> values) {
    return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
  }

 private:
  std::uint64_t state_[4];
  double due_;  // 0 to 1: the sample is taken that makes it 1
};

}  // namespace slu::test
