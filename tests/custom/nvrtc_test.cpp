// How NVRTC is found.
#include "kernels/nvrtc.h"

#include <cstdlib>

#include "sentence.h"

namespace slu::test {
namespace {

TEST(FindNvrtc, ASystemWithoutItIsToldWithTheNames) {
  const std::string names[] = {"libsluice-no-such.so.13", "libsluice-no-such.so"};
  const std::string sentence = sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [&] { const Nvrtc nvrtc(names); });
  EXPECT_SENTENCE(sentence, "plan.source: ");
  for (const std::string& name : names) EXPECT_PRED_FORMAT2(testing::IsSubstring, name, sentence);
}

TEST(FindNvrtc, ALibraryThatLacksAFunctionIsRefused) {
  const std::string names[] = {"libsluice-no-such.so", "libm.so.6"};
  const std::string sentence = sentenceOf(SLU_ERROR_ROUTE_UNAVAILABLE, [&] { const Nvrtc nvrtc(names); });
  EXPECT_SENTENCE(sentence, "plan.source: ");
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "libm.so.6 has no nvrtcCreateProgram", sentence);
}

TEST(FindNvrtc, TheRuntimesOwnVersionComesFirst) {
  ASSERT_EQ(nvrtcNames().size(), 2u);
  EXPECT_EQ(nvrtcNames()[0].find("libnvrtc.so."), 0u);
  EXPECT_EQ(nvrtcNames()[1], "libnvrtc.so");
}

// SLUICE_REQUIRE_NVRTC=1 makes a missing library an error; else the tests that compile are skipped.
TEST(FindNvrtc, IsThereWhereItIsRequired) {
  const char* variable = std::getenv("SLUICE_REQUIRE_NVRTC");
  if (variable == nullptr || std::string(variable) != "1") GTEST_SKIP() << "SLUICE_REQUIRE_NVRTC is not 1";
  EXPECT_NO_THROW(const Nvrtc nvrtc(nvrtcNames()));
}

}  // namespace
}  // namespace slu::test
