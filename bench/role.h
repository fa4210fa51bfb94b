#pragma once

namespace bench {

// What a competitor is in the comparison.
enum class Role {
  Copy,      // copies the whole input: the ceiling
  Baseline,  // what the others are compared with
  Candidate,
};

}  // namespace bench
