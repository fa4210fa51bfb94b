// The program behind the command line.
#pragma once

#include "failure.h"
#include "options.h"

namespace demo {

ExitCode run(Options options);

}  // namespace demo
