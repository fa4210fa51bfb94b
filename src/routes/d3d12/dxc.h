// DXC: HLSL to bytecode of shader model 6, by Microsoft's compiler that hosts ship.
#pragma once

#include "base/d3d12_calls.h"
#include "routes/d3d12/hlsl_compiler.h"

namespace slu {

class Dxc final : public HlslCompiler {
 public:
  using CreateInstance = HRESULT(WINAPI*)(const IID& classId, const IID& interfaceId, void** made);

  // create: the host's DxcCreateInstance, or null for that of dxcompiler.dll. profile: cs_6_0 or later. Throws
  // SLU_ERROR_ROUTE_UNAVAILABLE if there is no such library, and SLU_ERROR_DRIVER if it makes no compiler.
  explicit Dxc(CreateInstance create, const wchar_t* profile = L"cs_6_0");

  // Throws SLU_ERROR_ROUTE_UNAVAILABLE if the shader is not signed.
  std::vector<std::byte> compile(const std::string& text, const char* name, bool hasSource) const override;

 private:
  CreateInstance create_;
  const wchar_t* profile_;
};

}  // namespace slu
