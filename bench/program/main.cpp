#include "hosting/run_program.h"
#include "program/app.h"

int main(int argumentCount, char** arguments) {
  const auto run = [&] {
    const std::optional<bench::Options> options = bench::parseOptions(argumentCount, arguments);
    return options ? bench::run(*options) : bench::ExitCode::Good;
  };
  return hosting::runProgram("sluice-bench", run, bench::exitCodeOf);
}
