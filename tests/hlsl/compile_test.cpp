// Microsoft's compilers compile the kernels with the constants of typical plans. A line per kernel tells how long that
// took: the compilers run when a plan is created.
#include <gtest/gtest.h>

#include <cstdio>

#include "compilers.h"
#include "kernel_cases.h"

namespace slu::test {
namespace {

using Compile = Compilation (*)(const std::string& text);

void compileAll(bool emulatesSubgroups, Compile compile) {
  for (const KernelCase& each : kernelCases(emulatesSubgroups)) {
    SCOPED_TRACE(each.name + ", " + kernelName(each.kernel));
    const Compilation compilation = compile(textOf(each, emulatesSubgroups));
    EXPECT_TRUE(compilation.isCode) << compilation.messages;
    std::printf("%-32s %-12s %6.0f ms %7zu bytes\n", each.name.c_str(), kernelName(each.kernel),
                compilation.milliseconds, compilation.bytes);
  }
}

TEST(HlslCompilers, ShaderModel5) {
  if (!hasFxc()) GTEST_SKIP() << "d3dcompiler_47.dll is missing";
  compileAll(true, compileByFxc);
}

TEST(HlslCompilers, ShaderModel6) {
  if (!hasDxc()) GTEST_SKIP() << "dxcompiler.dll is missing";
  compileAll(false, compileByDxc);
}

}  // namespace
}  // namespace slu::test
