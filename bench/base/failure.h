// Gives each cause of a failure its exit code of the benchmark.
#pragma once

#include "hosting/failure.h"

namespace bench {

using namespace hosting;  // the benchmark's classes build on these

enum class ExitCode : int {
  Good = 0,
  Mismatch = 1,  // a competitor's output is wrong
  BadInput = 2,  // an option, or a file that an option names
  NoDevice = 3,  // no GPU that this program can use
  Runtime = 4,   // a call failed
};

constexpr ExitCode exitCodeOf(Cause cause) {
  if (cause == Cause::BadInput) return ExitCode::BadInput;
  return cause == Cause::NoDevice ? ExitCode::NoDevice : ExitCode::Runtime;
}

// A competitor needs more memory than is left. Other competitors may need less.
class OutOfMemory : public Failure {
 public:
  explicit OutOfMemory(const std::string& sentence) : Failure(Cause::Runtime, sentence) {}
};

}  // namespace bench
