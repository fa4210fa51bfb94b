// The program behind the command line.
#pragma once

#include "base/failure.h"
#include "options/options.h"

namespace demo {

ExitCode run(Options options);

}  // namespace demo
