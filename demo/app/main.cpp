#include <cstdio>
#include <new>
#include <optional>

#include "app/app.h"
#include "app/command_line.h"
#include "models/model_process.h"

namespace {

int fail(demo::ExitCode code, const char* sentence) {
  std::fprintf(stderr, "sluice-demo: %s\n", sentence);
  return static_cast<int>(code);
}

}  // namespace

int main(int argumentCount, char** arguments) {
  if (const std::optional<int> code = demo::runAsImporter(argumentCount, arguments)) return *code;
  try {
    const std::optional<demo::Options> options = demo::parseOptions(argumentCount, arguments);
    return static_cast<int>(options ? demo::run(*options) : demo::ExitCode::Good);
  } catch (const demo::Failure& failure) {
    return fail(failure.code(), failure.what());
  } catch (const std::bad_alloc&) {
    return fail(demo::ExitCode::Runtime, "out of host memory");
  } catch (const std::exception& error) {
    return fail(demo::ExitCode::Runtime, error.what());
  }
}
