// The structs that SLU_LIVE_CUSTOM chains to plans and frames: each field spoiled, refused by name.
#include <sluice/detail/kernels_hash.h>
#include <sluice/sluice_cuda.h>

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

// A plan with a custom predicate and a frame with a state of its own.
struct CustomSpecimen : Specimen {
  CustomSpecimen() {
    SluContext(context)->state->routes[SLU_ROUTE_CUDA] = std::make_unique<FakeRoute>(arrived);
    buffers.emplace_back(makeBuffer(context, memory.data(), memory.size() * 4));
    const SluBuffer usable = buffers.back();
    for (SluBinding SluFrameInfo::*binding :
         {&SluFrameInfo::liveCount, &SluFrameInfo::records, &SluFrameInfo::spheres, &SluFrameInfo::indices,
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
    planInfo.pNext = &predicate;
    frame.pNext = &state;
  }
  SluResult run() { return sluEnqueueCompact(plan, nullptr, &frame); }

  Arrived arrived;
  std::uint32_t values[3] = {11, 12, 13};
  std::uint32_t frameValues[3] = {21, 22, 23};
  const char* options[2] = {"-DA=1", "-DB=2"};
  SluCudaPredicateInfo predicate = SLU_INIT(CUDA_PREDICATE_INFO, SluCudaPredicateInfo);
  SluCudaSourceInfo source = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
  SluCudaPredicateState state = SLU_INIT(CUDA_PREDICATE_STATE, SluCudaPredicateState);
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
    {"otherRoute", "plan.live.test", [](S& s) { s.planInfo.route = SLU_ROUTE_CPU; }},
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
      for (const SluRoute route : available) {
        SluContext(specimen.context)->state->routes[route] = std::make_unique<FakeRoute>(specimen.arrived);
      }
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
  routes[SLU_ROUTE_VULKAN] = std::move(routes[SLU_ROUTE_CUDA]);
  specimen.planInfo.route = SLU_ROUTE_AUTO;
  EXPECT_EQ(specimen.createPlan(), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan.live.test")) << specimen.context.message();
  EXPECT_NE(specimen.context.message().find("vulkan"), std::string::npos) << specimen.context.message();
  specimen.predicate.pNext = &specimen.predicate;
  EXPECT_EQ(specimen.createPlan(), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_TRUE(beginsWith(specimen.context.message(), "plan.pNext")) << specimen.context.message();
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
