#pragma once

#include <CLI/CLI.hpp>

#include "hosting/failure.h"

namespace hosting {

// Reads the command line. False when it asked for something like --help, which has been answered. Throws Failure
// (BadInput).
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
