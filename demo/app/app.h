// Runs what the command line asks for.
#pragma once

#include "base/failure.h"
#include "options/options.h"

namespace demo {

ExitCode run(Options options);

}  // namespace demo
