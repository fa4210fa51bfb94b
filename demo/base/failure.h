// Gives each cause of a failure its exit code of the demo.
#pragma once

#include "hosting/failure.h"

namespace demo {

using namespace hosting;  // the demo's classes build on these

enum class ExitCode : int {
  Good = 0,
  Mismatch = 1,  // verification failed, or a validation message appeared
  BadInput = 2,  // an option, or a file that an option names
  Runtime = 3,   // the machine lacks something, or a call failed
};

constexpr ExitCode exitCodeOf(Cause cause) { return cause == Cause::BadInput ? ExitCode::BadInput : ExitCode::Runtime; }

}  // namespace demo
