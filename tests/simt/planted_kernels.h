// The CUDA route's kernels, from which a call can be taken away to see that the executor misses it.
#pragma once

#include <gtest/gtest.h>

#include <compare>
#include <set>
#include <string>

#include "simt_kernels.h"

namespace slu::test {

// A barrier, a ballot, a copy, or an arrival or wait at a barrier, in the kernels' source.
struct Call {
  std::string name;
  std::string function;  // that makes it
  std::string file;      // without its folder
  unsigned line;
  auto operator<=>(const Call&) const = default;
};

// One of the two.
struct Planted {
  const Call* missing = nullptr;    // no thread makes it; a ballot: one lane leaves it out
  std::set<Call>* calls = nullptr;  // nothing is missing; gains all that the launch makes
};

// Returns what the executor says. One launch at a time.
testing::AssertionResult launchPlanted(const CudaLaunch& launch, const cuda::Arguments& arguments,
                                       const Planted& planted);

}  // namespace slu::test
