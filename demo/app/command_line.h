// Reads the command line.
#pragma once

#include "options/options.h"

namespace demo {

// An empty result means that --help or --version was asked for and answered. Throws Failure (Cause::BadInput) with a
// sentence that names the option.
std::optional<Options> parseOptions(int argumentCount, char** arguments);

}  // namespace demo
