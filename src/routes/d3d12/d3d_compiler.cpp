#include "routes/d3d12/d3d_compiler.h"

#include <algorithm>
#include <string_view>

#include "base/library.h"
#include "routes/d3d12/com.h"

namespace slu {
namespace {

// Floats are computed as they are written: the kept set depends on it.
constexpr UINT kFlags = D3DCOMPILE_IEEE_STRICTNESS | D3DCOMPILE_ENABLE_STRICTNESS;

std::string_view textOf(ID3DBlob* blob) {
  if (blob == nullptr) return "no reason is given";
  const std::string_view text(static_cast<const char*>(blob->GetBufferPointer()), blob->GetBufferSize());
  return text.substr(0, text.find('\0'));
}

}  // namespace

D3DCompiler::D3DCompiler() {
  const std::string names[] = {"d3dcompiler_47.dll"};
  const Library library(
      names, "d3d12 needs d3dcompiler_47.dll, which is part of Windows, to compile its shaders; it was not found");
  library.find(compile_, "D3DCompile");
}

std::vector<std::byte> D3DCompiler::compile(const std::string& text, const char* name) const {
  ComPtr<ID3DBlob> code;
  ComPtr<ID3DBlob> messages;
  const HRESULT result = compile_(text.data(), text.size(), name, nullptr, nullptr, "main", "cs_5_0", kFlags, 0,
                                  code.put(), messages.put());
  if (FAILED(result)) {
    fail(SLU_ERROR_DRIVER, "D3DCompile: refuses the kernel ", name, ": ", textOf(messages.get()));
  }
  const auto* const bytes = static_cast<const std::byte*>(code->GetBufferPointer());
  return {bytes, bytes + code->GetBufferSize()};
}

}  // namespace slu
