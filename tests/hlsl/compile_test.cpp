// Microsoft's compilers compile the kernels with the constants of typical plans. A line per kernel tells how long that
// took: the compilers run when a plan is created.
#include <gtest/gtest.h>
#include <windows.h>

#include <cstdio>
#include <memory>
#include <regex>

#include "base/com.h"
#include "base/error.h"
#include "base/library.h"
#include "kernel_cases.h"
#include "routes/d3d12/dxc.h"
#include "routes/d3d12/fxc.h"
#include "shaders/shared/pyramid_block.h"

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
    EXPECT_NO_THROW(code = compiler.compile(textOf(each, emulatesSubgroups), kernelName(each.kernel), false));
    EXPECT_FALSE(code.empty());
    std::printf("%-32s %-12s %6.0f ms %7zu bytes\n", each.name.c_str(), kernelName(each.kernel),
                processorMilliseconds() - start, code.size());
  }
}

// What builds pyramids, of every form: tiles read depths, and the rest reads none.
void compilePyramids(const HlslCompiler& compiler) {
  for (std::uint32_t form = 0; form < kHlslDepthsCount; ++form) {
    for (const std::uint32_t parts : {SLU_PYRAMID_TILES, SLU_PYRAMID_REST}) {
      SCOPED_TRACE("form " + std::to_string(form) + ", parts " + std::to_string(parts));
      const std::string text = "#define SPIRV_CROSS_CONSTANT_ID_0 1u\n#define SPIRV_CROSS_CONSTANT_ID_1 " +
                               std::to_string(parts) + "u\n#define SPIRV_CROSS_CONSTANT_ID_2 4u\n" +
                               hlslOfPyramid(static_cast<HlslDepths>(form));
      const double start = processorMilliseconds();
      std::vector<std::byte> code;
      EXPECT_NO_THROW(code = compiler.compile(text, "pyramid", false));
      EXPECT_FALSE(code.empty());
      std::printf("%-32s %-12s %6.0f ms %7zu bytes\n", "a pyramid", parts == SLU_PYRAMID_TILES ? "tiles" : "rest",
                  processorMilliseconds() - start, code.size());
    }
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
  if (!compiler) GTEST_SKIP() << "this compiler is missing";
  compileAll(*compiler, true);
  compilePyramids(*compiler);
}

TEST(HlslCompilers, ShaderModel6) {
  const auto compiler = make<Dxc>(nullptr);
  if (!compiler) GTEST_SKIP() << "this compiler is missing";
  compileAll(*compiler, false);
  compilePyramids(*compiler);
}

// tests/run-windows --all runs it.
TEST(HlslCompilers, LaterShaderModels) {
  for (const wchar_t* profile : {L"cs_6_1", L"cs_6_2", L"cs_6_3", L"cs_6_4", L"cs_6_5", L"cs_6_6"}) {
    const auto compiler = make<Dxc>(nullptr, profile);
    if (!compiler) GTEST_SKIP() << "this compiler is missing";
    compileAll(*compiler, false);
  }
}

TEST(HlslCompilers, RefuseWhatIsNoShader) {
  std::unique_ptr<HlslCompiler> compilers[] = {make<Fxc>(), make<Dxc>(nullptr)};
  for (const auto& compiler : compilers) {
    if (!compiler) continue;
    try {
      compiler->compile("[numthreads(1, 1, 1)] void main() { nothing = 1; }", "planted", false);
      FAIL() << "was compiled";
    } catch (const Error& error) {
      EXPECT_EQ(error.result(), SLU_ERROR_DRIVER);
      const std::string sentence = error.what();
      EXPECT_NE(sentence.find("planted"), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("nothing"), std::string::npos) << sentence;
    }
  }
}

// Calls check(code) for the code of each kernel of a plan that asks the predicate, which also computes keys.
template <typename Check>
void compilePredicate(const HlslCompiler& compiler, bool emulatesSubgroups, const std::string& source,
                      const Check& check) {
  for (KernelCase each : kernelCases(emulatesSubgroups)) {
    const bool asks = each.kernel != Kernel::countViews && asksPredicate(each.kernel, true);
    const bool isTried = each.name == "64 buckets" || each.kernel == Kernel::findVisible;
    if (!isTried || !asks) continue;
    SCOPED_TRACE(kernelName(each.kernel));
    if (each.kernel != Kernel::emit) each.constants.liveTest = SLU_LIVE_CUSTOM;
    const std::string text = textOf(each, emulatesSubgroups, HlslPredicate::liveAndKey);
    check(compiler.compile(text + "\n#line 1 \"plan.source\"\n" + source, kernelName(each.kernel), true));
  }
}

constexpr char kPredicate[] =
    "bool sluPredicate(SluRecord record, uint index) {\n"
    "  uvec4 words = sluUint4(record, 0u);\n"
    "  return sluFloat(record, 0u) * sluStateFloat(0u) + sluStateFloat(1u) > uintBitsToFloat(words.y);\n}\n"
    "uint sluPredicateKey(SluRecord record, uint index) {\n"
    "  return uint(sluFloat(record, 1u) * sluStateFloat(2u) - sluStateFloat(3u));\n}\n";

// A sum of a product rounds twice, as on the CPU: `mad` may round once.
TEST(HlslCompilers, PredicatesAreNotContracted) {
  const auto compiler = make<Fxc>();
  if (!compiler) GTEST_SKIP() << "this compiler is missing";
  const std::string library[] = {"d3dcompiler_47.dll"};
  pD3DDisassemble disassemble = nullptr;
  Library(library, "").find(disassemble, "D3DDisassemble");
  compilePredicate(*compiler, true, kPredicate, [&](const std::vector<std::byte>& code) {
    ComPtr<ID3DBlob> assembly;
    ASSERT_TRUE(SUCCEEDED(disassemble(code.data(), code.size(), 0, nullptr, assembly.put())));
    const std::string text(messageOf(assembly.get()));
    EXPECT_TRUE(std::regex_search(text, std::regex("\\bmul\\b")));
    EXPECT_FALSE(std::regex_search(text, std::regex("\\bmad\\b")));
  });
}

TEST(HlslCompilers, PredicatesInShaderModel6) {
  const auto compiler = make<Dxc>(nullptr);
  if (!compiler) GTEST_SKIP() << "this compiler is missing";
  compilePredicate(*compiler, false, kPredicate,
                   [](const std::vector<std::byte>& code) { EXPECT_FALSE(code.empty()); });
}

// Both compilers name the source's lines.
TEST(HlslCompilers, ErrorsNameTheHostsLines) {
  std::unique_ptr<HlslCompiler> compilers[] = {make<Fxc>(), make<Dxc>(nullptr)};
  for (const auto& compiler : compilers) {
    if (!compiler) continue;
    const bool isFxc = compiler == compilers[0];
    try {
      compilePredicate(*compiler, isFxc, std::string(kPredicate) + "nonsense", [](const auto&) {});
      FAIL() << "was compiled";
    } catch (const Error& error) {
      EXPECT_EQ(error.result(), SLU_ERROR_INVALID_ARGUMENT);
      const std::string begin = "plan.source: does not compile: plan.source" + std::string(isFxc ? "(" : ":");
      EXPECT_EQ(std::string(error.what()).substr(0, begin.size()), begin) << error.what();
    }
  }
}

}  // namespace
}  // namespace slu::test
