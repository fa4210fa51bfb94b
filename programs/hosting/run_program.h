// Turns what main() throws into a sentence and an exit code.
#pragma once

#include <cstdio>
#include <new>

#include "hosting/failure.h"

namespace hosting {

// Calls run(), which returns the exit code. If it throws, prints the program's name and the sentence on stderr, and
// returns exitCodeOf(cause).
template <typename Run, typename ExitCodeOf>
int runProgram(const char* name, const Run& run, const ExitCodeOf& exitCodeOf) {
  const auto fail = [&](Cause cause, const char* sentence) {
    std::fprintf(stderr, "%s: %s\n", name, sentence);
    return static_cast<int>(exitCodeOf(cause));
  };
  try {
    return static_cast<int>(run());
  } catch (const Failure& failure) {
    return fail(failure.cause(), failure.what());
  } catch (const std::bad_alloc&) {
    return fail(Cause::Runtime, "out of host memory");
  } catch (const std::exception& error) {
    return fail(Cause::Runtime, error.what());
  }
}

}  // namespace hosting
