// How shaderc is found.
#include "routes/vulkan/spirv/shaderc.h"

#include "sentence.h"

namespace slu::test {
namespace {

TEST(FindShaderc, ASystemWithoutItIsToldWithTheNames) {
  const std::string names[] = {"libsluice-no-such.so.1", "libsluice-no-such.so"};
  const std::string sentence = sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [&] { const Shaderc shaderc(names); });
  EXPECT_SENTENCE(sentence, "plan.source: needs the library shaderc");
  for (const std::string& name : names) EXPECT_PRED_FORMAT2(testing::IsSubstring, name, sentence);
}

TEST(FindShaderc, ALibraryThatLacksAFunctionIsRefused) {
#ifdef _WIN32
  const std::string other = "kernel32.dll";
#else
  const std::string other = "libm.so.6";
#endif
  const std::string names[] = {"libsluice-no-such.so", other};
  const std::string sentence = sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [&] { const Shaderc shaderc(names); });
  EXPECT_PRED_FORMAT2(testing::IsSubstring, other + " has no shaderc_compiler_initialize", sentence);
}

}  // namespace
}  // namespace slu::test
