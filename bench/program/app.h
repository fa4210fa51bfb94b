#pragma once

#include "base/failure.h"
#include "program/options.h"

namespace bench {

// Runs what was asked for and reports it. Throws Failure.
ExitCode run(const Options& options);

}  // namespace bench
