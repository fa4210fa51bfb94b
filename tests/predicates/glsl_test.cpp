// Predicates in GLSL on the vulkan route: by address, by bound buffers and in several dispatches, as source and as
// SPIR-V.
#include <sluice/sluice_glsl.h>

#include <algorithm>
#include <cstdlib>

#include "brighter.h"
#include "keyed.h"
#include "source_fixture.h"
#include "weighted.h"

namespace slu::test {
namespace {

SluGlslSourceInfo sourceInfo(const std::string& source) {
  auto info = SLU_INIT(GLSL_SOURCE_INFO, SluGlslSourceInfo);
  info.source = source.c_str();
  return info;
}

class GlslTest : public SourceTest {
 protected:
  // Where no compiler is found; SLUICE_REQUIRE_SHADERC=1 makes that an error.
  bool lacksCompiler() {
    const std::string source = "bool sluPredicate(SluRecord record, uint index) { return true; }";
    const SluGlslSourceInfo info = sourceInfo(source);
    const SluResult result = create(&info);
    const char* variable = std::getenv("SLUICE_REQUIRE_SHADERC");
    if (result == SLU_ERROR_ROUTE_UNAVAILABLE && (variable == nullptr || std::string(variable) != "1")) return true;
    EXPECT_EQ(result, SLU_SUCCESS) << message();
    return false;
  }
};

constexpr MachineKind kVulkanMachines[] = {MachineKind::vulkan, MachineKind::vulkanBound,
                                           MachineKind::vulkanDispatches};

class GlslOfMachine : public GlslTest, public testing::WithParamInterface<MachineKind> {
 protected:
  void SetUp() override { useMachine(GetParam()); }

  // One frame of so many records that stable plans take tiles by ticket. chain: as of CustomTrials.
  void agreesOnMany(const ChainWeighted& chain) {
    for (const SluOrder order : kOrders) {
      const std::uint32_t stride = random.pick({4u, 16u});
      const PlanSpec plan = simplePlan(order, stride, 3'000'000);
      const Weighted weighted = makeWeighted(stride, random);
      const std::uint32_t count = random.between(1'100'000, 1'300'000);
      const CustomScene scene = makeCustomScene(plan, chain(weighted, false), {{count, 1, weighted, nullptr}}, random);
      EXPECT_TRUE(agreesOn(*machine, scene));
    }
  }

  std::deque<Keyed> weights;
};

class SpirvPredicates : public GlslOfMachine {
 protected:
  const ChainWeighted chain = [this](const Weighted& weighted, bool isKeyed) -> const void* {
    const Keyed& state = weights.emplace_back(Keyed{weighted});
    return &infos_.emplace_back(withState(isKeyed ? ::keyed() : ::weighted(), state));
  };
  CustomTrials trials() { return CustomTrials(*machine, chain, 8); }

 private:
  std::deque<SluSpirvPredicateInfo> infos_;
};

TEST_P(SpirvPredicates, Sizes) { trials().sizes(); }
TEST_P(SpirvPredicates, Buckets) { trials().buckets(); }
TEST_P(SpirvPredicates, Culling) { trials().culling(); }
TEST_P(SpirvPredicates, BesideFlags) { trials().besideFlags(); }
TEST_P(SpirvPredicates, InPlace) { trials().inPlace(); }
TEST_P(SpirvPredicates, StatesOfFrames) { trials().states(); }
TEST_P(SpirvPredicates, Keys) { trials().keys(); }
TEST_P(SpirvPredicates, Rejects) { trials().rejects(); }
TEST_P(SpirvPredicates, RandomPlans) { trials().randomPlans(); }
TEST_P(SpirvPredicates, ManyRecords) { agreesOnMany(chain); }

// The kernels are those of SpirvPredicates, whichever compiler makes them; so a part is enough.
class GlslSources : public GlslOfMachine {
 protected:
  void SetUp() override {
    GlslOfMachine::SetUp();
    if (machine != nullptr && lacksCompiler()) GTEST_SKIP() << message();
  }
  const ChainWeighted chain = [this](const Weighted& weighted, bool) -> const void* {
    return &infos_.emplace_back(withState(sourceInfo(text_), weights.emplace_back(Keyed{weighted})));
  };
  CustomTrials trials() { return CustomTrials(*machine, chain, 4); }

 private:
  const std::string text_ = textOf("weighted.glsl");
  std::deque<SluGlslSourceInfo> infos_;
};

TEST_P(GlslSources, Sizes) { trials().sizes(); }
TEST_P(GlslSources, Keys) {
  if (GetParam() != MachineKind::vulkan) GTEST_SKIP() << "SpirvPredicates.Keys does it";
  trials().keys();
}
TEST_P(GlslSources, ManyRecords) { agreesOnMany(chain); }

using GlslPredicates = GlslOfMachine;

// Every function that the library defines for predicates.
TEST_P(GlslPredicates, ReadRecordsAndStateInEveryWay) { readRecordsAndState(brighter()); }

TEST_P(GlslPredicates, ErrorsNameTheHostsLines) {
  if (lacksCompiler()) GTEST_SKIP() << message();
  const std::pair<std::string, const char*> broken[] = {
      {"\nbool sluPredicate(SluRecord record, uint index) {\n  return nonsense;\n}\n", "plan.source:3: error"},
      {"bool sluPredicate(SluRecord record, uint index) { return true; }\n#error here\n", "plan.source:2: error"},
      {"#include \"other.glsl\"\nbool sluPredicate(SluRecord record, uint index) { return true; }\n", "other.glsl"},
      {"bool other(SluRecord record, uint index) { return true; }\n", "sluPredicate"}};
  for (const auto& [source, words] : broken) {
    const SluGlslSourceInfo info = sourceInfo(source);
    EXPECT_EQ(create(&info), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(message().find("plan.source: does not compile: "), 0u) << message();
    EXPECT_PRED_FORMAT2(testing::IsSubstring, words, message());
  }
  // Macros of the source change nothing of the library.
  const std::string macros =
      "#define load nonsense\n#define uint int\n#undef uint\nbool sluPredicate(SluRecord record, uint index) {\n"
      "  return index % 3u == 1u;\n}\n";
  const SluGlslSourceInfo info = sourceInfo(macros);
  EXPECT_EQ(create(&info), SLU_SUCCESS) << message();
}

TEST_P(GlslPredicates, TheKeyMustBeThereIfItIsAskedFor) {
  if (lacksCompiler()) GTEST_SKIP() << message();
  const std::string source = "bool sluPredicate(SluRecord record, uint index) { return true; }";
  const SluGlslSourceInfo info = sourceInfo(source);
  EXPECT_EQ(create(&info, nullptr, 5), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "sluPredicateKey", message());
}

TEST_P(GlslPredicates, SpirvThatDoesNotFitIsRefused) {
  const auto expectRefused = [&](const SluSpirvPredicateInfo& info, const char* field, std::uint32_t keyCount = 1) {
    EXPECT_EQ(create(&info, nullptr, keyCount), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(message().find(field), 0u) << message();
  };
  EXPECT_EQ(create(nullptr), SLU_ERROR_INVALID_ARGUMENT);
  SluSpirvPredicateInfo info = weighted();
  const Keyed state{};
  info = withState(info, state);
  ASSERT_EQ(create(&info), SLU_SUCCESS) << message();
  SluSpirvPredicateInfo spoiled = info;
  ++spoiled.shadersHash;
  expectRefused(spoiled, "plan.shadersHash: is ");
  spoiled = info;
  spoiled.computesKey = 1;
  expectRefused(spoiled, "plan.computesKey: is 1");
  expectRefused(info, "plan.computesKey: is 0", 5);
  spoiled = info;
  spoiled.moduleCount = 0;
  expectRefused(spoiled, "plan.modules: lacks compact");
  spoiled.modules = nullptr;
  spoiled.moduleCount = 3;
  expectRefused(spoiled, "plan.modules: is null");

  std::vector<SluSpirvModule> modules(info.modules, info.modules + info.moduleCount);
  std::vector<std::vector<unsigned char>> bytes;
  spoiled = info;
  spoiled.modules = modules.data();
  for (const auto spoil :
       {+[](SluSpirvModule& module) { module.byteCount = 0; }, +[](SluSpirvModule& module) { module.byteCount /= 2; },
        +[](SluSpirvModule& module) { module.wordCount -= 1; },
        +[](SluSpirvModule& module) { module.wordCount = 0; }}) {
    std::copy_n(info.modules, info.moduleCount, modules.begin());
    std::ranges::for_each(modules, spoil);
    expectRefused(spoiled, "plan.modules: compact");
  }
}

TEST_P(GlslPredicates, KeepWhatThoseInCppKeep) { keepWhatThoseInCppKeep(keyed()); }

std::string nameOf(const testing::TestParamInfo<MachineKind>& info) { return machineName(info.param); }
INSTANTIATE_TEST_SUITE_P(, SpirvPredicates, testing::ValuesIn(kVulkanMachines), nameOf);
INSTANTIATE_TEST_SUITE_P(, GlslSources, testing::ValuesIn(kVulkanMachines), nameOf);
INSTANTIATE_TEST_SUITE_P(, GlslPredicates, testing::ValuesIn(kVulkanMachines), nameOf);

}  // namespace
}  // namespace slu::test
