// The structs that SLU_LIVE_CUSTOM chains to plans and frames: each field spoiled, refused by name.
#include <sluice/detail/kernels_hash.h>
#include <sluice/detail/shaders_hash.h>
#include <sluice/sluice_cuda.h>
#include <sluice/sluice_glsl.h>
#include <sluice/sluice_hlsl.h>

#include <cstddef>
#include <cstring>

#include "api/objects.h"
#include "specimen.h"

namespace slu::test {
namespace {

// What reached the CUDA route.
struct Arrived {
  CustomPredicate predicate;
  std::vector<PredicateState> states;
};

class FakePlan final : public RoutePlan {
 public:
  explicit FakePlan(Arrived& arrived) : arrived_(arrived) {}
  void run(const Frame& frame, void*) override { arrived_.states.push_back(frame.predicateState); }
  std::uint64_t tileRecords() const override { return 1; }
  std::uint64_t scratchBytes() const override { return 0; }

 private:
  Arrived& arrived_;
};

// A CUDA route on host memory that executes nothing.
class FakeRoute final : public Route {
 public:
  explicit FakeRoute(Arrived& arrived) : arrived_(arrived) {}
  std::unique_ptr<RouteBuffer> attachBuffer(const SluBufferCreateInfo& info) override {
    auto buffer = std::make_unique<RouteBuffer>();
    buffer->address = reinterpret_cast<std::uintptr_t>(info.hostPointer);
    return buffer;
  }
  void checkUse(const RouteBuffer&, Use, const char*) const override {}
  std::unique_ptr<RoutePlan> createPlan(const PlanLayout& layout) override {
    arrived_.predicate = layout.predicate;
    return std::make_unique<FakePlan>(arrived_);
  }

 private:
  Arrived& arrived_;
};

int launchNothing(std::uint32_t, std::uint32_t, std::uint32_t, const void*, CUstream_st*) { return 0; }
int countNothing(std::uint32_t, int*) { return 0; }
SluBool32 isNothingLive(const void*, const void*, std::uint32_t) { return 0; }
std::uint32_t keyNothing(const void*, const void*, std::uint32_t) { return 0; }

// A plan with a custom predicate and a frame with a state of its own.
struct CustomSpecimen : Specimen {
  CustomSpecimen() {
    SluContext(context)->state->routes[SLU_ROUTE_CUDA] = std::make_unique<FakeRoute>(arrived);
    buffers.emplace_back(makeBuffer(context, memory.data(), memory.size() * 4));
    const SluBuffer usable = buffers.back();
    for (SluBinding SluFrameInfo::*binding :
         {&SluFrameInfo::liveCount, &SluFrameInfo::records, &SluFrameInfo::bounds, &SluFrameInfo::indices,
          &SluFrameInfo::keptRecords, &SluFrameInfo::draws, &SluFrameInfo::drawCounts, &SluFrameInfo::statistics,
          &SluFrameInfo::bucketCounts}) {
      (frame.*binding).buffer = usable;
    }
    frame.flags = {};
    planInfo.route = SLU_ROUTE_CUDA;
    planInfo.live = {SLU_LIVE_CUSTOM, 0, 0};
    predicate.version = sluGetVersion();
    predicate.kernelsHash = cuda::kKernelsHash;
    predicate.stateSize = sizeof(values);
    predicate.state = values;
    predicate.launch = launchNothing;
    predicate.blocks = countNothing;
    source.source = "struct SluPredicate {};";
    source.optionCount = 2;
    source.options = options;
    source.stateSize = sizeof(values);
    source.state = values;
    state.state = frameValues;
    state.stateSize = sizeof(frameValues);
    host.isLive = isNothingLive;
    glsl.source = "bool sluPredicate(SluRecord record, uint index) { return true; }";
    hlsl.source = "bool sluPredicate(SluRecord record, uint index) { return true; }";
    spirv.shadersHash = kShadersHash;
    spirv.modules = modules;
    spirv.moduleCount = 2;
    for (SluRoute route : {SLU_ROUTE_VULKAN, SLU_ROUTE_INLINE, SLU_ROUTE_D3D12}) {
      SluContext(context)->state->routes[route] = std::make_unique<FakeRoute>(arrived);
    }
    planInfo.pNext = &predicate;
    frame.pNext = &state;
  }
  SluResult run() { return sluEnqueueCompact(plan, nullptr, &frame); }
  void askForKeys() {
    planInfo.flags |= SLU_PLAN_CUSTOM_KEY_BIT;
    planInfo.key.offset = 0;
  }
  SluHostPredicateInfo& useHost() { return use(host, SLU_ROUTE_CPU); }
  SluGlslSourceInfo& useGlsl() { return use(glsl, SLU_ROUTE_VULKAN); }
  SluHlslSourceInfo& useHlsl() { return use(hlsl, SLU_ROUTE_D3D12); }
  SluSpirvPredicateInfo& useSpirv() { return use(spirv, SLU_ROUTE_VULKAN); }
  template <typename Info>
  Info& use(Info& info, SluRoute route) {
    planInfo.route = route;
    planInfo.pNext = &info;
    return info;
  }

  Arrived arrived;
  std::uint32_t values[3] = {11, 12, 13};
  std::uint32_t frameValues[3] = {21, 22, 23};
  const char* options[2] = {"-DA=1", "-DB=2"};
  SluCudaPredicateInfo predicate = SLU_INIT(CUDA_PREDICATE_INFO, SluCudaPredicateInfo);
  SluCudaSourceInfo source = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
  SluPredicateState state = SLU_INIT(PREDICATE_STATE, SluPredicateState);
  SluHostPredicateInfo host = SLU_INIT(HOST_PREDICATE_INFO, SluHostPredicateInfo);
  SluGlslSourceInfo glsl = SLU_INIT(GLSL_SOURCE_INFO, SluGlslSourceInfo);
  SluHlslSourceInfo hlsl = SLU_INIT(HLSL_SOURCE_INFO, SluHlslSourceInfo);
  SluSpirvPredicateInfo spirv = SLU_INIT(SPIRV_PREDICATE_INFO, SluSpirvPredicateInfo);
  const unsigned char moduleBytes[3] = {1, 2, 3};
  SluSpirvModule modules[2] = {{"compact_native", moduleBytes, 3, 40}, {"count_native", moduleBytes, 2, 50}};
};

using S = CustomSpecimen;

struct PredicateCase {
  const char* name;
  const char* field;
  void (*spoil)(S& specimen);
};

std::ostream& operator<<(std::ostream& stream, const PredicateCase& c) { return stream << c.name; }

const PredicateCase kPredicateCases[] = {
    {"none", "plan.pNext", [](S& s) { s.planInfo.pNext = nullptr; }},
    {"both", "plan.pNext", [](S& s) { s.predicate.pNext = &s.source; }},
    {"twice", "plan.pNext", [](S& s) { s.predicate.pNext = &s.predicate; }},
    {"another", "plan.pNext", [](S& s) { s.planInfo.pNext = &s.state; }},
    {"functionsWithoutCustom", "plan.pNext", [](S& s) { s.planInfo.live = {}; }},
    {"sourceWithoutCustom", "plan.pNext",
     [](S& s) {
       s.planInfo.live = {};
       s.planInfo.pNext = &s.source;
     }},
    {"otherRoute", "plan.pNext", [](S& s) { s.planInfo.route = SLU_ROUTE_CPU; }},
    {"otherRouteWithItsPredicate", "plan.isLive",
     [](S& s) {
       s.planInfo.route = SLU_ROUTE_CPU;
       s.predicate.pNext = &s.host;
       s.host.isLive = nullptr;
     }},
    {"keyWithoutMember", "plan.computesKey", [](S& s) { s.askForKeys(); }},
    {"memberWithoutKey", "plan.computesKey", [](S& s) { s.predicate.computesKey = 1; }},
    {"reserved", "plan.reserved", [](S& s) { s.predicate.reserved = 1; }},
    {"keyOfOneKey", "plan.flags",
     [](S& s) {
       s.askForKeys();
       s.predicate.computesKey = 1;
       s.planInfo.key = {};
     }},
    {"keyOffset", "plan.key.offset",
     [](S& s) {
       s.askForKeys();
       s.predicate.computesKey = 1;
       s.planInfo.key.offset = 4;
     }},
    {"keyWithoutCustom", "plan.flags",
     [](S& s) {
       s.askForKeys();
       s.planInfo.live = {};
       s.planInfo.pNext = nullptr;
     }},
    {"offset", "plan.live.offset", [](S& s) { s.planInfo.live.offset = 4; }},
    {"size", "plan.live.size", [](S& s) { s.planInfo.live.size = 4; }},
    {"predicateStructSize", "cudaPredicate.structSize", [](S& s) { s.predicate.structSize = 8; }},
    {"versionZero", "plan.version", [](S& s) { s.predicate.version = 0; }},
    {"versionOther", "plan.version", [](S& s) { ++s.predicate.version; }},
    {"hashZero", "plan.kernelsHash", [](S& s) { s.predicate.kernelsHash = 0; }},
    {"hashOther", "plan.kernelsHash", [](S& s) { ++s.predicate.kernelsHash; }},
    {"firstVersion", "plan.kernelsHash",
     [](S& s) { s.predicate.structSize = offsetof(SluCudaPredicateInfo, kernelsHash); }},
    {"launch", "plan.launch", [](S& s) { s.predicate.launch = nullptr; }},
    {"blocks", "plan.blocks", [](S& s) { s.predicate.blocks = nullptr; }},
    {"stateNull", "plan.state", [](S& s) { s.predicate.state = nullptr; }},
    {"stateWithoutSize", "plan.state", [](S& s) { s.predicate.stateSize = 0; }},
    {"stateLarge", "plan.stateSize", [](S& s) { s.predicate.stateSize = SLU_MAX_PREDICATE_STATE + 1; }},
};

const PredicateCase kSourceCases[] = {
    {"sourceStructSize", "cudaSource.structSize", [](S& s) { s.source.structSize = 8; }},
    {"sourceNull", "plan.source", [](S& s) { s.source.source = nullptr; }},
    {"optionsNull", "plan.options", [](S& s) { s.source.options = nullptr; }},
    {"optionNull", "plan.options[1]", [](S& s) { s.options[1] = nullptr; }},
    {"optionCount", "plan.optionCount", [](S& s) { s.source.optionCount = 65; }},
    {"sourceStateNull", "plan.state", [](S& s) { s.source.state = nullptr; }},
    {"sourceStateWithoutSize", "plan.state", [](S& s) { s.source.stateSize = 0; }},
    {"sourceStateLarge", "plan.stateSize", [](S& s) { s.source.stateSize = SLU_MAX_PREDICATE_STATE + 1; }},
};

// Of plans for the cpu, the vulkan and the d3d12 route.
const PredicateCase kOtherCases[] = {
    {"hostStructSize", "hostPredicate.structSize", [](S& s) { s.useHost().structSize = 8; }},
    {"isLive", "plan.isLive", [](S& s) { s.useHost().isLive = nullptr; }},
    {"keyWord", "plan.keyWord", [](S& s) { s.useHost().keyWord = keyNothing; }},
    {"noKeyWord", "plan.keyWord",
     [](S& s) {
       s.useHost();
       s.askForKeys();
     }},
    {"hostReserved", "plan.reserved", [](S& s) { s.useHost().reserved = 1; }},
    {"hostState", "plan.state", [](S& s) { s.useHost().stateSize = 4; }},
    {"glslStructSize", "glslSource.structSize", [](S& s) { s.useGlsl().structSize = 8; }},
    {"glslSource", "plan.source", [](S& s) { s.useGlsl().source = nullptr; }},
    {"glslReserved", "plan.reserved", [](S& s) { s.useGlsl().reserved = 1; }},
    {"glslState", "plan.stateSize", [](S& s) { s.useGlsl().stateSize = 65; }},
    {"glslAndSpirv", "plan.pNext", [](S& s) { s.useGlsl().pNext = &s.spirv; }},
    {"hlslStructSize", "hlslSource.structSize", [](S& s) { s.useHlsl().structSize = 8; }},
    {"hlslSource", "plan.source", [](S& s) { s.useHlsl().source = nullptr; }},
    {"hlslReserved", "plan.reserved", [](S& s) { s.useHlsl().reserved = 1; }},
    {"hlslState", "plan.stateSize", [](S& s) { s.useHlsl().stateSize = 65; }},
    {"glslOnD3D12", "plan.pNext: SLU_LIVE_CUSTOM in plan.live.test needs SluHlslSourceInfo on the d3d12 route",
     [](S& s) {
       s.useGlsl();
       s.planInfo.route = SLU_ROUTE_D3D12;
     }},
    {"hlslOnVulkan",
     "plan.pNext: SLU_LIVE_CUSTOM in plan.live.test needs SluGlslSourceInfo or SluSpirvPredicateInfo on the vulkan "
     "route",
     [](S& s) {
       s.useHlsl();
       s.planInfo.route = SLU_ROUTE_VULKAN;
     }},
    {"spirvStructSize", "spirvPredicate.structSize", [](S& s) { s.useSpirv().structSize = 8; }},
    {"shadersHash", "plan.shadersHash", [](S& s) { ++s.useSpirv().shadersHash; }},
    {"spirvKey", "plan.computesKey", [](S& s) { s.useSpirv().computesKey = 1; }},
    {"moduleCount", "plan.moduleCount", [](S& s) { s.useSpirv().moduleCount = 257; }},
    {"modules", "plan.modules: is null", [](S& s) { s.useSpirv().modules = nullptr; }},
    {"moduleName", "plan.modules[1].name", [](S& s) { s.useSpirv(), s.modules[1].name = nullptr; }},
    {"moduleBytes", "plan.modules[1].bytes", [](S& s) { s.useSpirv(), s.modules[1].bytes = nullptr; }},
    {"moduleWords", "plan.modules[0].wordCount", [](S& s) { s.useSpirv(), s.modules[0].wordCount = 1u << 30; }},
    {"spirvState", "plan.state", [](S& s) { s.useSpirv().state = s.values; }},
    {"spirvReserved", "plan.reserved", [](S& s) { s.useSpirv().reserved = 1; }},
    {"glslOnCpu", "plan.pNext",
     [](S& s) {
       s.useGlsl();
       s.planInfo.route = SLU_ROUTE_CPU;
     }},
};

const PredicateCase kStateCases[] = {
    {"frameStructSize", "predicateState.structSize", [](S& s) { s.state.structSize = 8; }},
    {"frameTwice", "frame.pNext", [](S& s) { s.state.pNext = &s.state; }},
    {"frameOther", "frame.pNext", [](S& s) { s.frame.pNext = &s.predicate; }},
    {"frameStateSize", "frame.stateSize", [](S& s) { s.state.stateSize = 8; }},
    {"frameState", "frame.state", [](S& s) { s.state.state = nullptr; }},
    {"frameRecords", "frame.records", [](S& s) { s.frame.records = {}; }},
    {"frameFlags", "frame.flags", [](S& s) { s.frame.flags = s.frame.records; }},
};

std::string nameOf(const testing::TestParamInfo<PredicateCase>& info) { return info.param.name; }

class PredicateFields : public testing::TestWithParam<PredicateCase> {
 protected:
  void expectRefused(S& specimen) {
    ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
    GetParam().spoil(specimen);
    specimen.planInfo.buckets = specimen.buckets.data();
    SluPlan untouched = specimen.plan;
    EXPECT_EQ(sluCreatePlan(specimen.context, &specimen.planInfo, &untouched), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(untouched, specimen.plan.get());
    EXPECT_TRUE(beginsWith(specimen.context.message(), GetParam().field));
  }
};
class SourceFields : public PredicateFields {};
class OtherPredicates : public PredicateFields {};
class PredicateStates : public PredicateFields {};

TEST_P(PredicateFields, AreChecked) {
  S specimen;
  expectRefused(specimen);
}

TEST_P(SourceFields, AreChecked) {
  S specimen;
  specimen.planInfo.pNext = &specimen.source;
  expectRefused(specimen);
}

TEST_P(OtherPredicates, AreChecked) {
  S specimen;
  specimen.useHost();
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.useGlsl();
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.useHlsl();
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  specimen.useSpirv();
  expectRefused(specimen);
}

TEST_P(PredicateStates, AreChecked) {
  S specimen;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  ASSERT_EQ(specimen.run(), SLU_SUCCESS) << specimen.context.message();
  GetParam().spoil(specimen);
  EXPECT_EQ(specimen.run(), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), GetParam().field));
  EXPECT_EQ(specimen.arrived.states.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Api, PredicateFields, testing::ValuesIn(kPredicateCases), nameOf);
INSTANTIATE_TEST_SUITE_P(Api, SourceFields, testing::ValuesIn(kSourceCases), nameOf);
INSTANTIATE_TEST_SUITE_P(Api, OtherPredicates, testing::ValuesIn(kOtherCases), nameOf);
INSTANTIATE_TEST_SUITE_P(Api, PredicateStates, testing::ValuesIn(kStateCases), nameOf);

PredicateState bytesOf(const std::uint32_t (&values)[3]) {
  PredicateState state{};
  std::memcpy(state.data(), values, sizeof(values));
  return state;
}

TEST(Predicates, ReachTheRouteAsCopies) {
  S specimen;
  const PredicateState expected = bytesOf(specimen.values);
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(specimen.arrived.predicate.launch, launchNothing);
  EXPECT_EQ(specimen.arrived.predicate.blocks, countNothing);
  specimen.planInfo.pNext = &specimen.source;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(specimen.arrived.predicate.launch, nullptr);
  EXPECT_EQ(specimen.arrived.predicate.source, "struct SluPredicate {};");
  EXPECT_EQ(specimen.arrived.predicate.options, (std::vector<std::string>{"-DA=1", "-DB=2"}));
  EXPECT_EQ(specimen.arrived.predicate.state, expected);

  specimen.values[1] = 0;
  specimen.source.source = nullptr;
  ASSERT_EQ(specimen.run(), SLU_SUCCESS) << specimen.context.message();
  specimen.frame.pNext = nullptr;
  ASSERT_EQ(specimen.run(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(specimen.arrived.states, (std::vector<PredicateState>{bytesOf(specimen.frameValues), expected}));
}

TEST(Predicates, MayHaveNoState) {
  S specimen;
  specimen.predicate.state = specimen.state.state = nullptr;
  specimen.predicate.stateSize = specimen.state.stateSize = 0;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(specimen.run(), SLU_SUCCESS) << specimen.context.message();
}

// Auto passes over routes that do not take the predicate, though plans without one would get them.
TEST(Predicates, DecideWhatAutoPicks) {
  using Routes = std::vector<SluRoute>;
  for (const auto& [available, ofFunctions, ofSource] :
       {std::tuple{Routes{SLU_ROUTE_INLINE, SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA}, SLU_ROUTE_CUDA, SLU_ROUTE_INLINE},
        {Routes{SLU_ROUTE_VULKAN, SLU_ROUTE_CUDA}, SLU_ROUTE_CUDA, SLU_ROUTE_CUDA},
        {Routes{SLU_ROUTE_CUDA}, SLU_ROUTE_CUDA, SLU_ROUTE_CUDA}}) {
    for (const bool hasSource : {false, true}) {
      S specimen;
      auto& routes = SluContext(specimen.context)->state->routes;
      for (const SluRoute route : {SLU_ROUTE_INLINE, SLU_ROUTE_VULKAN, SLU_ROUTE_D3D12, SLU_ROUTE_CUDA}) {
        routes[route].reset();
      }
      for (const SluRoute route : available) routes[route] = std::make_unique<FakeRoute>(specimen.arrived);
      specimen.planInfo.route = SLU_ROUTE_AUTO;
      if (hasSource) specimen.planInfo.pNext = &specimen.source;
      ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
      auto properties = SLU_INIT(PLAN_PROPERTIES, SluPlanProperties);
      ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
      EXPECT_EQ(properties.route, hasSource ? ofSource : ofFunctions) << available.size() << " routes";

      specimen.planInfo.live = {};
      specimen.planInfo.pNext = nullptr;
      ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
      ASSERT_EQ(sluGetPlanProperties(specimen.plan, &properties), SLU_SUCCESS);
      EXPECT_EQ(properties.route, available.front());
    }
  }
}

// Where no route takes it, the sentence names those that would, and the one that auto stands for.
TEST(Predicates, AutoRefusesWhatNoRouteTakes) {
  S specimen;
  auto& routes = SluContext(specimen.context)->state->routes;
  for (const SluRoute route : {SLU_ROUTE_CUDA, SLU_ROUTE_INLINE}) routes[route].reset();
  specimen.planInfo.route = SLU_ROUTE_AUTO;
  EXPECT_EQ(specimen.createPlan(), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan.pNext: SLU_LIVE_CUSTOM")) << specimen.context.message();
  EXPECT_NE(specimen.context.message().find("vulkan"), std::string::npos) << specimen.context.message();
  specimen.predicate.pNext = &specimen.predicate;
  EXPECT_EQ(specimen.createPlan(), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan.pNext")) << specimen.context.message();
}

// What is for other routes may be anything; the route that runs the plan reads its own.
TEST(Predicates, MayBeChainedForSeveralRoutes) {
  S specimen;
  specimen.predicate.pNext = &specimen.glsl;
  specimen.glsl.pNext = &specimen.host;
  specimen.glsl.source = nullptr;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(specimen.arrived.predicate.launch, launchNothing);
  specimen.glsl.source = "glsl";
  specimen.hlsl.source = "hlsl";
  specimen.host.pNext = &specimen.hlsl;
  specimen.planInfo.route = SLU_ROUTE_VULKAN;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(specimen.arrived.predicate.source, "glsl");
  EXPECT_EQ(specimen.arrived.predicate.launch, nullptr);
  specimen.planInfo.route = SLU_ROUTE_D3D12;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(specimen.arrived.predicate.source, "hlsl");
  specimen.planInfo.route = SLU_ROUTE_VULKAN;
  specimen.predicate.pNext = &specimen.spirv;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  ASSERT_TRUE(specimen.arrived.predicate.modules);
  const std::vector<SpirvModule>& modules = *specimen.arrived.predicate.modules;
  ASSERT_EQ(modules.size(), 2u);
  EXPECT_EQ(modules[1], (SpirvModule{"count_native", {1, 2}, 50}));
}

TEST(Predicates, AStateNeedsACustomPlan) {
  S specimen;
  specimen.planInfo.live = {};
  specimen.planInfo.pNext = nullptr;
  ASSERT_EQ(specimen.createPlan(), SLU_SUCCESS) << specimen.context.message();
  EXPECT_EQ(specimen.run(), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "frame.pNext"));
}

// A compiler's log is longer than the sentence that the context keeps.
TEST(Messages, AreLoggedWhole) {
  LoggedContext context;
  std::string sentence = "plan.source: ";
  sentence.append(10'000, 'x');
  const SluResult result =
      guard(*SluContext(context)->state, [&] { throw Error(SLU_ERROR_INVALID_ARGUMENT, sentence); });
  EXPECT_EQ(result, SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(context.message(), sentence.substr(0, SLU_MESSAGE_CAPACITY - 1));
  EXPECT_EQ(context.log().back().text, sentence);
}

}  // namespace
}  // namespace slu::test
