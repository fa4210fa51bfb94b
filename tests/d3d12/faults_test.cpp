// A failure planted at each call of the driver: a code, a sentence, and no reference is left.
#include <cstdlib>

#include "fixture.h"

namespace slu::test {
namespace {

class D3D12Faults : public D3D12Test {
 protected:
  void TearDown() override {
    watch().failCall({});
    D3D12Test::TearDown();
  }

  // leastCalls: how many there are at least.
  void failEachCallOf(const SluPlanCreateInfo& info, std::uint32_t leastCalls);
};

constexpr auto kRemoved = static_cast<HRESULT>(0x887a0005);  // DXGI_ERROR_DEVICE_REMOVED

TEST_F(D3D12Faults, Contexts) {
  for (std::uint32_t call = 0;; ++call) {
    watch().failCall(call);
    Context context;
    const SluResult result = createContext(context);
    if (watch().callCount() <= call) break;  // all have had their turn
    ASSERT_NE(result, SLU_SUCCESS);
    EXPECT_NE(message(), "");
  }
}

void D3D12Faults::failEachCallOf(const SluPlanCreateInfo& info, std::uint32_t leastCalls) {
  createPlan(info);
  const std::vector<std::byte> shaders = saveShaders();  // so that each context has them
  SluD3D12DeviceInfo device = host().info();
  device.shaders = shaders.data();
  device.shadersSize = shaders.size();
  for (const auto& [failure, expected] : {std::pair{E_OUTOFMEMORY, SLU_ERROR_OUT_OF_DEVICE_MEMORY},
                                          {E_FAIL, SLU_ERROR_DRIVER},
                                          {kRemoved, SLU_ERROR_DEVICE_LOST}}) {
    std::uint32_t call = 0;
    for (;; ++call) {
      Context context;
      watch().failCall({});
      ASSERT_EQ(createContext(context, &device), SLU_SUCCESS) << message();
      const D3D12Watch::Scope scope(watch(), nullptr);
      watch().failCall(call, failure);
      Plan plan;
      const SluResult result = sluCreatePlan(context, &info, plan.put());
      if (watch().callCount() <= call) {
        EXPECT_EQ(result, SLU_SUCCESS) << sluGetErrorMessage(context);
        break;
      }
      EXPECT_EQ(result, expected) << sluGetErrorMessage(context);
      EXPECT_NE(std::string(sluGetErrorMessage(context)), "");
      watch().failCall({});
      EXPECT_EQ(sluCreatePlan(context, &info, plan.put()), SLU_SUCCESS)
          << "after a failure: " << sluGetErrorMessage(context);
    }
    EXPECT_GE(call, leastCalls);
  }
}

TEST_F(D3D12Faults, Maps) {
  const SluPlanCreateInfo info = planInfo(SLU_ORDER_STABLE, 3);
  createPlan(info);  // so that its shaders are there
  std::uint32_t map = 0;
  for (;; ++map) {
    const D3D12Watch::Scope scope(watch(), nullptr);
    watch().failMap(map);
    Plan plan;
    const SluResult result = sluCreatePlan(context(), &info, plan.put());
    if (watch().mapCount() <= map) break;
    EXPECT_NE(result, SLU_SUCCESS);
    EXPECT_NE(sentence().find("ID3D12Resource::Map"), std::string::npos) << sentence();
  }
  EXPECT_EQ(map, 2u) << "tables and the data of frames";
  watch().failMap({});
}

TEST_F(D3D12Faults, Plans) {
  SluPlanCreateInfo info = planInfo(SLU_ORDER_STABLE, 3);
  info.outputs |= SLU_OUTPUT_RECORDS_BIT;
  info.flags = SLU_PLAN_IN_PLACE_BIT;
  failEachCallOf(info, 8);  // four pipelines and four buffers
}

TEST_F(D3D12Faults, PlansWithPredicates) {
  const SluHlslSourceInfo predicate = predicateInfo(kPredicate);
  failEachCallOf(predicatePlanInfo(predicate), 7);
}

// What does not compile leaves nothing, and the plan of a better source is created after it.
TEST_F(D3D12Faults, SourcesThatDoNotCompile) {
  const std::size_t before = saveShaders().size();
  SluHlslSourceInfo predicate = predicateInfo("bool sluPredicate(SluRecord record, uint index) { return nonsense; }");
  const SluPlanCreateInfo info = predicatePlanInfo(predicate);
  Plan plan;
  EXPECT_EQ(sluCreatePlan(context(), &info, plan.put()), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(sentence().find("plan.source: does not compile: plan.source(1,"), 0u) << sentence();
  EXPECT_EQ(saveShaders().size(), before);
  predicate.source = kPredicate;
  createPlan(info);
  EXPECT_GT(saveShaders().size(), before);
}

TEST_F(D3D12Faults, RemovedDevice) {
  const Plan plan = createPlan(planInfo(SLU_ORDER_UNORDERED));
  const FrameBuffers frame = makeFrame(context());
  watch().failCall(0, kRemoved);
  EXPECT_EQ(record(plan, frame, frame.info), SLU_ERROR_DEVICE_LOST);
  EXPECT_NE(sentence().find("removed"), std::string::npos) << sentence();
}

TEST_F(D3D12Faults, MissingCompiler) {
  if (std::getenv("SLUICE_TEST_NO_D3DCOMPILER") == nullptr) GTEST_SKIP() << "d3dcompiler_47.dll is there";
  auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context(), SLU_ROUTE_D3D12, &info), SLU_SUCCESS);
  EXPECT_EQ(info.available, 0u);
  EXPECT_NE(std::string(info.reason).find("d3dcompiler_47.dll"), std::string::npos) << info.reason;
}

// Objects go in any order, and the device has as many references as before (TearDown).
TEST_F(D3D12Faults, OrderOfDestruction) {
  Plan plan = createPlan(planInfo(SLU_ORDER_STABLE, 3));
  FrameBuffers frame = makeFrame(context());
  const auto references = referencesTo(frame.records.resource.get());
  EXPECT_EQ(references, 2u) << "the host's and the library's";
  frame.records.registered = Buffer();
  EXPECT_EQ(referencesTo(frame.records.resource.get()), 1u);
}

}  // namespace
}  // namespace slu::test
