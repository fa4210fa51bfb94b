// HLSL to bytecode of shader model 5, by the compiler that is part of Windows.
#pragma once

#include <d3dcompiler.h>

#include <cstddef>
#include <string>
#include <vector>

namespace slu {

class D3DCompiler {
 public:
  // Throws SLU_ERROR_ROUTE_UNAVAILABLE if there is no d3dcompiler_47.dll.
  D3DCompiler();

  // Returns the bytecode of a compute shader. May be called by several threads. name: of the kernel, for sentences.
  std::vector<std::byte> compile(const std::string& text, const char* name) const;

 private:
  pD3DCompile compile_ = nullptr;
};

}  // namespace slu
