// Predicates in HLSL on the d3d12 route. Their sources are those of glsl_test.cpp, in the subset that both languages have.
#include <sluice/sluice_d3d12.h>
#include <sluice/sluice_hlsl.h>

#include "source_fixture.h"

namespace slu::test {
namespace {

SluHlslSourceInfo hlslSource(const std::string& source) {
  auto info = SLU_INIT(HLSL_SOURCE_INFO, SluHlslSourceInfo);
  info.source = source.c_str();
  return info;
}

class HlslPredicates : public SourceTest {
 protected:
  void SetUp() override { useMachine(MachineKind::d3d12); }

  CustomTrials trials() { return CustomTrials(*machine, chain_, 4); }

  std::size_t shaderBytes() {
    std::size_t bytes = 0;
    EXPECT_EQ(sluGetD3D12Shaders(machine->context(), nullptr, &bytes), SLU_SUCCESS);
    return bytes;
  }

  void expectRefused(const std::string& source, const char* words, std::uint32_t keyCount = 1) {
    const SluHlslSourceInfo info = hlslSource(source);
    EXPECT_EQ(create(&info, nullptr, keyCount), SLU_ERROR_INVALID_ARGUMENT) << source;
    EXPECT_EQ(message().find("plan.source: does not compile: "), 0u) << message();
    EXPECT_PRED_FORMAT2(testing::IsSubstring, words, message());
    EXPECT_PRED_FORMAT2(testing::IsNotSubstring, "X3557", message()) << "a warning of the library's own text";
  }

 private:
  const std::string text_ = textOf("weighted.glsl");
  std::deque<Keyed> weights_;
  std::deque<SluHlslSourceInfo> infos_;
  const ChainWeighted chain_ = [this](const Weighted& weighted, bool) -> const void* {
    return &infos_.emplace_back(withState(hlslSource(text_), weights_.emplace_back(Keyed{weighted})));
  };
};

TEST_F(HlslPredicates, Sizes) { trials().sizes(); }
TEST_F(HlslPredicates, Buckets) { trials().buckets(); }
TEST_F(HlslPredicates, Culling) { trials().culling(); }
TEST_F(HlslPredicates, BesideFlags) { trials().besideFlags(); }
TEST_F(HlslPredicates, InPlace) { trials().inPlace(); }
TEST_F(HlslPredicates, StatesOfFrames) { trials().states(); }
TEST_F(HlslPredicates, Keys) { trials().keys(); }
TEST_F(HlslPredicates, Rejects) { trials().rejects(); }
TEST_F(HlslPredicates, RandomPlans) { trials().randomPlans(); }

TEST_F(HlslPredicates, ReadRecordsAndStateInEveryWay) {
  const std::string source = textOf("brighter.glsl");
  readRecordsAndState(hlslSource(source));
}

TEST_F(HlslPredicates, KeepWhatThoseInCppKeep) {
  const std::string source = textOf("weighted.glsl");
  keepWhatThoseInCppKeep(hlslSource(source));
}

TEST_F(HlslPredicates, ErrorsNameTheHostsLines) {
  expectRefused("\nbool sluPredicate(SluRecord record, uint index) {\n  return nonsense;\n}\n",
                "plan.source(3,10-17): error");
  expectRefused("bool sluPredicate(SluRecord record, uint index) { return true; }\n#error here\n", "plan.source(2,");
  expectRefused("#include \"other.h\"\nbool sluPredicate(SluRecord record, uint index) { return true; }\n",
                "plan.source(1,");
  expectRefused("bool sluPredicate(SluRecord record, uint index) { return true; }\n}\n", "plan.source(2,1): error");
  expectRefused("", "sluPredicate");
}

TEST_F(HlslPredicates, FunctionsMustBeThereAsTheyAreCalled) {
  expectRefused("bool other(SluRecord record, uint index) { return true; }\n", "sluPredicate");
  expectRefused("bool sluPredicate(SluRecord record) { return true; }\n", "sluPredicate");
  expectRefused("uint sluPredicate(SluRecord record, uint index) { return 1u; }\n", "plan.source(1,");
  expectRefused("bool sluPredicate(SluRecord record, uint index) { return true; }\n", "sluPredicateKey", 5);
  expectRefused(
      "bool sluPredicate(SluRecord record, uint index) { return true; }\n"
      "int sluPredicateKey(SluRecord record, uint index) { return 1; }\n",
      "plan.source(2,", 5);
}

// Macros of the source change nothing of the library, and neither do functions whose names the library has not taken.
TEST_F(HlslPredicates, NamesOfTheSourceAreItsOwn) {
  const std::string source =
      "#define load nonsense\n#define uint int\n#undef uint\n#define asfloat nonsense\n"
      "uint recordAt(uint index) { return index % 3u; }\n"
      "bool sluPredicate(SluRecord record, uint index) {\n  return recordAt(index) == 1u;\n}";
  const SluHlslSourceInfo info = hlslSource(source);
  EXPECT_EQ(create(&info), SLU_SUCCESS) << message();
}

// Plans share kernels by their source, whatever the state.
TEST_F(HlslPredicates, OneSourceIsCompiledOnce) {
  const std::string first = "bool sluPredicate(SluRecord record, uint index) { return sluUint(record, 0u) > 1u; }";
  const std::string second = "bool sluPredicate(SluRecord record, uint index) { return sluUint(record, 0u) > 2u; }";
  SluHlslSourceInfo info = hlslSource(first);
  ASSERT_EQ(create(&info), SLU_SUCCESS) << message();
  const std::size_t bytes = shaderBytes();
  const Keyed state{};
  info = withState(info, state);
  ASSERT_EQ(create(&info), SLU_SUCCESS) << message();
  EXPECT_EQ(shaderBytes(), bytes);
  info = hlslSource(second);
  ASSERT_EQ(create(&info), SLU_SUCCESS) << message();
  EXPECT_GT(shaderBytes(), bytes + second.size());
}

}  // namespace
}  // namespace slu::test
