// Reads a command line with CLI11, whose errors become Failures.
#pragma once

#include <CLI/CLI.hpp>

#include "hosting/failure.h"

namespace hosting {

// Reads the command line. Returns false if it asked for something like --help, which has been answered. Throws Failure
// (Cause::BadInput) with a sentence that names the option.
inline bool parseCommandLine(CLI::App& app, int argumentCount, const char* const* arguments) {
  try {
    app.parse(argumentCount, arguments);
  } catch (const CLI::Success& answered) {
    app.exit(answered);
    return false;
  } catch (const CLI::ParseError& error) {
    failInput(error.what(), " (see --help)");
  }
  return true;
}

}  // namespace hosting
