#include <optional>

#include "app/app.h"
#include "app/command_line.h"
#include "hosting/run_program.h"
#include "models/model_process.h"

int main(int argumentCount, char** arguments) {
  if (const std::optional<int> code = demo::runAsImporter(argumentCount, arguments)) return *code;
  const auto run = [&] {
    const std::optional<demo::Options> options = demo::parseOptions(argumentCount, arguments);
    return options ? demo::run(*options) : demo::ExitCode::Good;
  };
  return hosting::runProgram("sluice-demo", run, demo::exitCodeOf);
}
