// The contract suite with the kernels in HLSL of shader model 6, on Vulkan, since no Direct3D of the tests has wave
// operations: DXC makes SPIR-V of them, which is linked instead of the library's own. For devices whose subgroups the
// library does not emulate, by bound buffers and in several dispatches (SLUICE_TEST_SEVERAL_DISPATCHES=1).
#include <gtest/gtest.h>
#include <windows.h>

#include <array>
#include <cstring>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <regex>
#include <string>
#include <vector>

#include "base/com.h"
#include "base/error.h"
#include "routes/d3d12/dxc_interfaces.h"
#include "routes/d3d12/hlsl/own_hlsl.h"
#include "routes/d3d12/hlsl/registers.h"
#include "routes/shaders/kernel_constants.h"
#include "routes/vulkan/spirv/shader_code.h"
#include "routes/vulkan/spirv/specialization.h"

namespace slu {
namespace {

std::uint32_t compiled = 0;

// Where the vulkan route has the uniform buffers: register, binding and set.
constexpr std::array<std::array<std::uint32_t, 3>, 3> kUniforms = {
    {{SLU_REGISTER_PLAN, 0, 0}, {SLU_REGISTER_FRAME, 0, 1}, {SLU_REGISTER_VIEW, 1, 1}}};

// Without -Gis, of which DXC makes float controls that Vulkan 1.1 lacks. The text says which results are precise.
// testsOcclusion: of what shares a register, plans that do have bits of visibility, and others LOD states.
std::vector<std::wstring> argumentsOfDxc(bool testsOcclusion) {
  std::vector<std::wstring> arguments = {
      L"-spirv", L"-T", L"cs_6_0", L"-E", L"main", L"-fvk-use-dx-layout", L"-fspv-target-env=vulkan1.1"};
  const auto bind = [&](wchar_t kind, std::uint32_t number, std::uint32_t binding, std::uint32_t set) {
    arguments.insert(arguments.end(), {L"-fvk-bind-register", kind + std::to_wstring(number), L"0",
                                       std::to_wstring(binding), std::to_wstring(set)});
  };
  for (const auto& [number, binding, set] : kUniforms) bind(L'b', number, binding, set);
  for (std::uint32_t binding = 0; binding < kHlslRegisters.size(); ++binding) {
    if (binding == (testsOcclusion ? SLU_BINDING_LOD_STATES : SLU_BINDING_VISIBLE)) continue;
    const HlslRegister place = kHlslRegisters[binding];
    bind(place.view == HlslView::srv ? L't' : L'u', place.number, binding, SLU_BINDING_SET);
  }
  return arguments;
}

// Vulkan counts the workgroups of a dispatch, and numbers those of views. A route of Direct3D tells both in a buffer.
std::string forVulkan(const std::string& text) {
  static const std::regex dispatch(
      "cbuffer \\w+ : register\\(b3, space0\\)\\s*\\{\\s*uint (\\w+) : packoffset\\(c0\\);\\s*uint (\\w+) : "
      "packoffset\\(c0\\.y\\);\\s*\\};");
  static_assert(SLU_REGISTER_DISPATCH == 3);
  const std::string replaced = std::regex_replace(
      text, dispatch,
      "[[vk::ext_builtin_input(24)]] static const uint3 sluWorkgroups;\n#define $1 0u\n#define $2 sluWorkgroups.x\n");
  if (replaced == text) fail(SLU_ERROR_INTERNAL, "the kernel has no dispatch in b3");
  return replaced;
}

std::vector<std::uint32_t> compileToSpirv(const std::string& text, const char* name, bool testsOcclusion) {
  using Create = HRESULT(WINAPI*)(const IID&, const IID&, void**);
  static const auto create = [] {
    const HMODULE library = LoadLibraryA("dxcompiler.dll");
    if (library == nullptr) fail(SLU_ERROR_INTERNAL, "dxcompiler.dll is missing");
    return reinterpret_cast<Create>(reinterpret_cast<void*>(GetProcAddress(library, "DxcCreateInstance")));
  }();
  const std::vector<std::wstring> arguments = argumentsOfDxc(testsOcclusion);
  std::vector<const wchar_t*> pointers;
  for (const std::wstring& argument : arguments) pointers.push_back(argument.c_str());
  const auto succeed = [&](HRESULT result) {
    if (FAILED(result)) fail(SLU_ERROR_INTERNAL, "DXC does not make SPIR-V of ", name);
  };
  void* made = nullptr;
  ComPtr<DxcCompiler> compiler;
  succeed(create(kDxcCompilerClass, kDxcCompilerInterface, &made));
  *compiler.put() = static_cast<DxcCompiler*>(made);
  const DxcText source{text.data(), text.size(), kDxcUtf8};
  ComPtr<DxcResult> result;
  succeed(compiler->Compile(&source, pointers.data(), static_cast<UINT32>(pointers.size()), nullptr,
                            kDxcResultInterface, &made));
  *result.put() = static_cast<DxcResult*>(made);
  HRESULT status = E_FAIL;
  succeed(result->GetStatus(&status));
  if (FAILED(status)) {
    ComPtr<ID3DBlob> messages;
    result->GetErrorBuffer(messages.put());
    fail(SLU_ERROR_INTERNAL, name, ": ", messageOf(messages.get()));
  }
  ComPtr<ID3DBlob> code;
  succeed(result->GetResult(code.put()));
  const std::vector<std::byte> bytes = bytesOf(code.get());
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  return words;
}

// A module is the number of its kernel, until its constants are known.
class WaveCode final : public ShaderCode {
 public:
  std::vector<std::uint32_t> of(Kernel kernel, ShaderVariant variant) const override {
    const std::string name = shaderName(kernel, variant);
    if (!name.starts_with(std::string(kernelName(kernel)) + "_bound") || name.ends_with("_emulated")) {
      fail(SLU_ERROR_INTERNAL, name, " has no counterpart in HLSL");
    }
    return {static_cast<std::uint32_t>(kernel)};
  }
};

}  // namespace

std::unique_ptr<const ShaderCode> makeOwnCode() { return std::make_unique<const WaveCode>(); }

std::vector<std::uint32_t> specialize(std::span<const std::uint32_t> module, std::span<const std::uint32_t> values) {
  using Key = std::pair<std::uint32_t, std::vector<std::uint32_t>>;
  static std::map<Key, std::vector<std::uint32_t>> modules;
  std::vector<std::uint32_t>& words = modules[{module[0], {values.begin(), values.end()}}];
  if (!words.empty()) return words;
  const auto kernel = static_cast<Kernel>(module[0]);
  KernelConstants constants;
  std::memcpy(&constants, values.data(), sizeof(constants));
  std::string text;
  for (std::size_t id = 0; id < values.size(); ++id) {
    text += "#define SPIRV_CROSS_CONSTANT_ID_" + std::to_string(id) + " " + std::to_string(values[id]) + "u\n";
  }
  words = compileToSpirv(text + forVulkan(hlslOf(kernel, false)), kernelName(kernel),
                         (constants.cullFlags & SLU_CULL_OCCLUSION_BIT) != 0);
  ++compiled;
  return words;
}

}  // namespace slu

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  std::cout << "Kernels for shader model 6 that ran: " << slu::compiled << "\n";
  const bool hasRun = testing::UnitTest::GetInstance()->successful_test_count() != 0;
  return hasRun && slu::compiled == 0 ? 1 : result;
}
