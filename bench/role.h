#pragma once

namespace bench {

// What a competitor is in the comparison.
enum class Role {
  Copy,      // copies the whole input: the ceiling
  Baseline,  // what the others are compared with
  Candidate,
  Study,  // copies the whole input in one of several ways, and is no ceiling
};

constexpr bool isCopy(Role role) { return role == Role::Copy || role == Role::Study; }

}  // namespace bench
