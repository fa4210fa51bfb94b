// FXC: HLSL to bytecode of shader model 5, by the compiler that is part of Windows.
#pragma once

#include <d3dcompiler.h>

#include "routes/d3d12/hlsl_compiler.h"

namespace slu {

class Fxc final : public HlslCompiler {
 public:
  // Throws SLU_ERROR_ROUTE_UNAVAILABLE if there is no d3dcompiler_47.dll.
  Fxc();

  std::vector<std::byte> compile(const std::string& text, const char* name, bool hasSource) const override;

 private:
  pD3DCompile compile_ = nullptr;
};

}  // namespace slu
