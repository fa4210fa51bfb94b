// Microsoft's compilers compile the kernels with the constants of typical plans. A line per kernel tells how long that
// took: the compilers run when a plan is created.
#include <gtest/gtest.h>
#include <windows.h>

#include <cstdio>
#include <memory>

#include "base/error.h"
#include "kernel_cases.h"
#include "routes/d3d12/dxc.h"
#include "routes/d3d12/fxc.h"

namespace slu::test {
namespace {

double processorMilliseconds() {
  FILETIME created;
  FILETIME ended;
  FILETIME kernel;
  FILETIME user;
  GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user);
  const auto ticks = [](FILETIME time) {
    return static_cast<double>(time.dwHighDateTime) * 4294967296.0 + time.dwLowDateTime;
  };
  return (ticks(kernel) + ticks(user)) / 10000.0;
}

void compileAll(const HlslCompiler& compiler, bool emulatesSubgroups) {
  for (const KernelCase& each : kernelCases(emulatesSubgroups)) {
    SCOPED_TRACE(each.name + ", " + kernelName(each.kernel));
    const double start = processorMilliseconds();
    std::vector<std::byte> code;
    EXPECT_NO_THROW(code = compiler.compile(textOf(each, emulatesSubgroups), kernelName(each.kernel)));
    EXPECT_FALSE(code.empty());
    std::printf("%-32s %-12s %6.0f ms %7zu bytes\n", each.name.c_str(), kernelName(each.kernel),
                processorMilliseconds() - start, code.size());
  }
}

// Skips the test where there is no such compiler.
template <typename Compiler, typename... Arguments>
std::unique_ptr<HlslCompiler> make(Arguments... arguments) {
  try {
    return std::make_unique<Compiler>(arguments...);
  } catch (const Error& error) {
    std::printf("%s\n", error.what());
    return nullptr;
  }
}

TEST(HlslCompilers, ShaderModel5) {
  const auto compiler = make<Fxc>();
  if (!compiler) GTEST_SKIP();
  compileAll(*compiler, true);
}

TEST(HlslCompilers, ShaderModel6) {
  const auto compiler = make<Dxc>(nullptr);
  if (!compiler) GTEST_SKIP();
  compileAll(*compiler, false);
}

TEST(HlslCompilers, RefuseWhatIsNoShader) {
  std::unique_ptr<HlslCompiler> compilers[] = {make<Fxc>(), make<Dxc>(nullptr)};
  for (const auto& compiler : compilers) {
    if (!compiler) continue;
    try {
      compiler->compile("[numthreads(1, 1, 1)] void main() { nothing = 1; }", "planted");
      FAIL() << "was compiled";
    } catch (const Error& error) {
      EXPECT_EQ(error.result(), SLU_ERROR_DRIVER);
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find("planted"), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("nothing"), std::string::npos) << sentence;
    }
  }
}

}  // namespace
}  // namespace slu::test
