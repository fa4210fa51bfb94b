// Shader model 6: what the library asks of the device and of DXC, and what it makes of it. No runtime of the tests executes
// its shaders. tests/hlsl/contract_waves.cpp executes them on Vulkan.
#include <windows.h>

#include <set>

#include "fixture.h"

namespace slu::test {
namespace {

class D3D12Waves : public D3D12Test {
 protected:
  // Why a context that asks for shader model 6 has no Direct3D 12 route; empty if it has.
  std::string lack(const SluD3D12DeviceInfo& device) {
    Context context;
    const SluResult result = createContext(context, &device);
    if (result != SLU_SUCCESS) return message();
    auto info = SLU_INIT(ROUTE_INFO, SluRouteInfo);
    EXPECT_EQ(sluGetRouteInfo(context, SLU_ROUTE_D3D12, &info), SLU_SUCCESS);
    return info.available != 0 ? "" : info.reason;
  }
  SluD3D12DeviceInfo waves() {
    SluD3D12DeviceInfo device = host().info();
    device.shaderModel = 6;
    return device;
  }
  bool hasDxc() { return LoadLibraryA("dxcompiler.dll") != nullptr; }
};

TEST_F(D3D12Waves, DevicesWithoutThem) {
  for (const D3D12Watch::Waves& device :
       {D3D12Watch::Waves{D3D_SHADER_MODEL_5_1, true, 32}, {D3D_SHADER_MODEL_6_0, false, 32}}) {
    watch().claim(device);
    const std::string sentence = lack(waves());
    EXPECT_NE(sentence.find("d3d12Device.shaderModel"), std::string::npos) << sentence;
  }
}

TEST_F(D3D12Waves, OfSizesThatTheShadersDoNotTake) {
  for (const UINT lanes : {0u, 1u, 2u, 129u, 256u}) {
    watch().claim({D3D_SHADER_MODEL_6_0, true, lanes});
    const std::string sentence = lack(waves());
    EXPECT_NE(sentence.find("lanes"), std::string::npos) << lanes << ": " << sentence;
  }
  if (!hasDxc()) GTEST_SKIP() << "dxcompiler.dll is missing";
  for (const UINT lanes : {4u, 32u, 128u}) {
    watch().claim({D3D_SHADER_MODEL_6_0, true, lanes});
    EXPECT_EQ(lack(waves()), "") << lanes;
  }
}

TEST_F(D3D12Waves, MissingCompiler) {
  watch().claim({D3D_SHADER_MODEL_6_0, true, 32});
  if (!hasDxc()) {
    const std::string sentence = lack(waves());
    EXPECT_NE(sentence.find("dxcompiler.dll"), std::string::npos) << sentence;
  }
  SluD3D12DeviceInfo device = waves();
  constexpr auto kBroken = +[](const void*, const void*, void**) WINAPI -> HRESULT { return E_NOINTERFACE; };
  device.dxcCreateInstance = reinterpret_cast<void*>(kBroken);
  const std::string sentence = lack(device);
  EXPECT_NE(sentence.find("DxcCreateInstance"), std::string::npos) << sentence;
}

// All kernels of a plan are for shader model 6, and what is stored goes with it alone.
TEST_F(D3D12Waves, PlansAndStoredShaders) {
  const SluPlanCreateInfo info = planInfo(SLU_ORDER_STABLE, 3);
  createPlan(info);  // of shader model 5, for the watch
  const std::vector<std::byte> plain = saveShaders();
  EXPECT_EQ(watch().waveShaderCount(), 0u);
  watch().claim({D3D_SHADER_MODEL_6_0, true, 32});
  if (!hasDxc()) GTEST_SKIP() << "dxcompiler.dll is missing";
  SluD3D12DeviceInfo device = waves();
  const HMODULE library = LoadLibraryA("dxcompiler.dll");
  device.dxcCreateInstance = reinterpret_cast<void*>(GetProcAddress(library, "DxcCreateInstance"));
  device.shaders = plain.data();
  device.shadersSize = plain.size();
  Context context;
  ASSERT_EQ(createContext(context, &device), SLU_SUCCESS) << message();
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(context, SLU_ROUTE_D3D12, &route), SLU_SUCCESS);
  Plan plan;
  {
    const D3D12Watch::Scope scope(watch(), nullptr);
    ASSERT_EQ(sluCreatePlan(context, &info, plan.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
  }
  EXPECT_EQ(watch().waveShaderCount(), 4u) << "a stable plan has four kernels";
  const FrameBuffers frame = makeFrame(context);
  EXPECT_EQ(record(plan, frame, frame.info), SLU_SUCCESS) << sluGetErrorMessage(context);
  std::size_t size = 0;
  ASSERT_EQ(sluGetD3D12Shaders(context, nullptr, &size), SLU_SUCCESS);
  EXPECT_GT(size, plain.size()) << "those of both shader models";
}

}  // namespace
}  // namespace slu::test
