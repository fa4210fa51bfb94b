// Predicates in GLSL on the vulkan route: by address, by bound buffers and in several dispatches, as source and as
// SPIR-V.
#include <sluice/sluice_glsl.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "brighter.h"
#include "host_predicates.h"
#include "keyed.h"
#include "machines.h"
#include "plans.h"
#include "scene_builder.h"
#include "weighted.h"

namespace slu::test {
namespace {

std::string textOf(const std::string& name) {
  std::ifstream file(SLUICE_FOLDER "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

SluGlslSourceInfo sourceInfo(const std::string& source) {
  auto info = SLU_INIT(GLSL_SOURCE_INFO, SluGlslSourceInfo);
  info.source = source.c_str();
  return info;
}

template <typename Info>
Info withState(Info info, const Keyed& keyed) {
  info.state = &keyed;
  info.stateSize = sizeof(keyed);
  return info;
}

class GlslTest : public testing::Test {
 protected:
  void useMachine(MachineKind kind) {
    std::string reason;
    machine = findMachine(kind, reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
  }
  void TearDown() override {
    if (machine == nullptr) return;
    machine->dropPlans();
    EXPECT_EQ(takeMessages(), "");
  }

  // Into plan, where one is given. keyCount: above 1 the predicate computes the key.
  SluResult create(const void* chained, SluPlan* plan = nullptr, std::uint32_t keyCount = 1) {
    PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 16, 1000);
    spec.info.live = {SLU_LIVE_CUSTOM, 0, 0};
    spec.info.pNext = chained;
    if (keyCount > 1) {
      addBuckets(spec, keyCount, 1, 1000, 0);
      spec.info.flags |= SLU_PLAN_CUSTOM_KEY_BIT;
    }
    Plan dropped;
    return sluCreatePlan(machine->context(), PlanArguments(spec, SLU_ROUTE_VULKAN).get(), plan ? plan : dropped.put());
  }
  std::string message() const { return sluGetErrorMessage(machine->context()); }

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

  Random random;
  Machine* machine = nullptr;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
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
TEST_P(GlslPredicates, ReadRecordsAndStateInEveryWay) {
  struct State {
    float least;
    int number;
  } const state{0.25f, -5};
  SluSpirvPredicateInfo info = brighter();
  info.state = &state;
  info.stateSize = sizeof(state);
  for (const std::uint32_t stride : {16u, 20u, 48u}) {
    const auto predicate = [&](const void* record, unsigned) {
      float brightness;
      std::memcpy(&brightness, static_cast<const char*>(record) + 12, sizeof(brightness));
      return brightness > state.least;
    };
    for (const SluOrder order : kOrders) {
      const CustomScene scene = makeCustomScene(simplePlan(order, stride, 4000), &info,
                                                {{random.between(3000, 4000), 1, predicate, nullptr}}, random);
      EXPECT_TRUE(agreesOn(*machine, scene)) << stride;
      machine->dropPlans();  // they are found by the address of info
    }
  }
}

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

// A plan that chains the predicate in both languages runs on both routes, and both keep the same.
TEST_P(GlslPredicates, KeepWhatThoseInCppKeep) {
  for (const std::uint32_t capacity : {20u, 400u}) {
    PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 24, 9000);
    addBuckets(plan, 30, 1, capacity, 8);
    plan.info.key.shift = 3;
    plan.info.key.bits = 5;
    Keyed state{makeWeighted(24, random)};
    state.keyWord = 2;
    state.keyShift = 4;
    SluHostPredicateInfo inCpp = hostPredicate(state, true);
    SluSpirvPredicateInfo inGlsl = withState(keyed(), state);
    inCpp.pNext = &inGlsl;
    plan.info.live = {SLU_LIVE_CUSTOM, 0, 0};
    plan.info.pNext = &inCpp;
    plan.info.flags |= SLU_PLAN_CUSTOM_KEY_BIT;
    plan.info.key.offset = 0;
    Input input;
    input.count = 8000;
    input.records.resize(std::size_t{24} * 8000);
    random.fill(input.records);
    const Scene scene = makeScene(plan, input, 1, random);
    EXPECT_TRUE(agrees(*machine, scene)) << capacity;
    machine->dropPlans();  // they are found by the address of what is chained
    dropReferencePlans();
  }
}
std::string nameOf(const testing::TestParamInfo<MachineKind>& info) { return machineName(info.param); }
INSTANTIATE_TEST_SUITE_P(, SpirvPredicates, testing::ValuesIn(kVulkanMachines), nameOf);
INSTANTIATE_TEST_SUITE_P(, GlslSources, testing::ValuesIn(kVulkanMachines), nameOf);
INSTANTIATE_TEST_SUITE_P(, GlslPredicates, testing::ValuesIn(kVulkanMachines), nameOf);

}  // namespace
}  // namespace slu::test
