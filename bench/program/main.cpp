#include <cstdio>
#include <new>

#include "program/app.h"

namespace {

int fail(bench::ExitCode code, const char* sentence) {
  std::fprintf(stderr, "sluice-bench: %s\n", sentence);
  return static_cast<int>(code);
}

}  // namespace

int main(int argumentCount, char** arguments) {
  try {
    const std::optional<bench::Options> options = bench::parseOptions(argumentCount, arguments);
    return static_cast<int>(options ? bench::run(*options) : bench::ExitCode::Good);
  } catch (const bench::Failure& failure) {
    return fail(failure.code(), failure.what());
  } catch (const std::bad_alloc&) {
    return fail(bench::ExitCode::Runtime, "out of host memory");
  } catch (const std::exception& error) {
    return fail(bench::ExitCode::Runtime, error.what());
  }
}
