// The registers that the kernels in HLSL declare, which the root signature has slots for.
#include "routes/d3d12/hlsl/registers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include "routes/d3d12/hlsl/own_hlsl.h"

namespace slu::test {
namespace {

constexpr Kernel kKernels[] = {Kernel::compact,    Kernel::sorted,     Kernel::count,         Kernel::countViews,
                               Kernel::scan,       Kernel::publish,    Kernel::emit,          Kernel::gather,
                               Kernel::sparseRank, Kernel::sparseSums, Kernel::sparsePublish, Kernel::sparsePlaces,
                               Kernel::sparseEmit, Kernel::findVisible};

// "ByteAddressBuffer t3", "RWByteAddressBuffer u7", "cbuffer b0".
std::multiset<std::string> declared(const std::string& text) {
  const std::regex declaration("(\\w+) \\w+ : register\\(([a-z][0-9]+)(, space0)?\\)");
  std::multiset<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), declaration), end; at != end; ++at) {
    found.insert((*at)[1].str() + " " + (*at)[2].str());
  }
  return found;
}

std::set<std::string> promised() {
  std::set<std::string> registers;
  for (const HlslRegister& each : kHlslRegisters) {
    const char* kind = each.view == HlslView::srv ? "ByteAddressBuffer t" : "RWByteAddressBuffer u";
    registers.insert(kind + std::to_string(each.number));
  }
  for (const int number : {SLU_REGISTER_PLAN, SLU_REGISTER_FRAME, SLU_REGISTER_VIEW, SLU_REGISTER_DISPATCH}) {
    registers.insert("cbuffer b" + std::to_string(number));
  }
  return registers;
}

// The kernels that spirv-opt has inlined declare only what they use.
TEST(Hlsl, DeclaresRegistersOfTheRootSignature) {
  for (const Kernel kernel : kKernels) {
    for (const bool isEmulated : {false, true}) {
      SCOPED_TRACE(std::string(kernelName(kernel)) + (isEmulated ? ", emulated" : ", waves"));
      const std::string text = hlslOf(kernel, isEmulated);
      if (kernel == Kernel::countViews && isEmulated) {
        EXPECT_EQ(text, "");
      } else {
        const std::multiset<std::string> registers = declared(text);
        const std::set<std::string> all = promised();
        EXPECT_TRUE(std::includes(all.begin(), all.end(), registers.begin(), registers.end()))
            << testing::PrintToString(registers);
        EXPECT_EQ(registers.count("RWByteAddressBuffer u7"), kernel == Kernel::findVisible && isEmulated ? 0u : 1u)
            << "every other kernel uses the scratch";
      }
    }
  }
}

TEST(Hlsl, HasNoKernelsOfOneDispatch) {
  for (const Kernel kernel : {Kernel::ordered, Kernel::persistent}) {
    for (const bool isEmulated : {false, true}) EXPECT_EQ(hlslOf(kernel, isEmulated), "");
  }
}

TEST(Hlsl, PyramidsDeclareTheirRegisters) {
  const char* const kDepths[kHlslDepthsCount] = {"ByteAddressBuffer", "Texture2D<float4>", "Texture2DArray<float4>",
                                                 "Texture2DMS<float4>", "Texture2DMSArray<float4>"};
  for (std::uint32_t form = 0; form < kHlslDepthsCount; ++form) {
    const std::string text = hlslOfPyramid(static_cast<HlslDepths>(form));
    EXPECT_TRUE(std::regex_search(text, std::regex(std::string(kDepths[form]) + " \\w+ : register\\(t0\\)"))) << form;
    const std::multiset<std::string> registers = declared(text);
    EXPECT_EQ(registers.count("RWByteAddressBuffer u0"), 1u);
    EXPECT_EQ(registers.count("cbuffer b0"), 1u);
    EXPECT_EQ(text.find("register(u1)"), text.npos) << "there are no arrivals";
  }
}

struct AskingKernel {
  Kernel kernel;
  HlslPredicate predicate;
};
constexpr AskingKernel kAskingKernels[] = {
    {Kernel::compact, HlslPredicate::live},     {Kernel::count, HlslPredicate::live},
    {Kernel::sparseRank, HlslPredicate::live},  {Kernel::compact, HlslPredicate::liveAndKey},
    {Kernel::count, HlslPredicate::liveAndKey}, {Kernel::sparseRank, HlslPredicate::liveAndKey},
    {Kernel::emit, HlslPredicate::liveAndKey},  {Kernel::findVisible, HlslPredicate::liveAndKey}};

// They declare no other registers, and nothing is left of what stood for the calls.
TEST(Hlsl, HasCallsOfPredicates) {
  const std::set<std::string> all = promised();
  for (const AskingKernel& each : kAskingKernels) {
    for (const bool isEmulated : {false, true}) {
      const bool isKeyed = each.predicate == HlslPredicate::liveAndKey;
      SCOPED_TRACE(std::string(kernelName(each.kernel)) + (isKeyed ? ", keyed" : "") +
                   (isEmulated ? ", emulated" : ", waves"));
      const std::string text = hlslOf(each.kernel, isEmulated, each.predicate);
      const auto calls = [&](const char* function) { return text.find(function + std::string("(int3(")) != text.npos; };
      EXPECT_EQ(calls("sluAskPredicate"), each.kernel != Kernel::emit && each.kernel != Kernel::findVisible);
      EXPECT_EQ(calls("sluAskPredicateKey"), isKeyed);
      EXPECT_EQ(text.find("Texture2D"), text.npos);
      const std::multiset<std::string> registers = declared(text);
      EXPECT_TRUE(std::includes(all.begin(), all.end(), registers.begin(), registers.end()))
          << testing::PrintToString(registers);
    }
  }
}

}  // namespace
}  // namespace slu::test
