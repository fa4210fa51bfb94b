#pragma once

namespace bench {

// Says what a competitor is for in the comparison.
enum class Role {
  Copy,      // copies the whole input; the fastest copy is the ceiling
  Baseline,  // what the others are compared with
  Candidate,
  Study,  // one of several ways to copy, which plots show apart
};

constexpr bool isCopy(Role role) { return role == Role::Copy || role == Role::Study; }

}  // namespace bench
