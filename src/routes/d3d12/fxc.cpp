#include "routes/d3d12/fxc.h"

#include "base/com.h"
#include "base/library.h"

namespace slu {
namespace {

// Floats are computed as they are written: the kept set depends on it.
constexpr UINT kFlags = D3DCOMPILE_IEEE_STRICTNESS | D3DCOMPILE_ENABLE_STRICTNESS;

}  // namespace

Fxc::Fxc() {
  const std::string names[] = {"d3dcompiler_47.dll"};
  const Library library(
      names, "d3d12 needs d3dcompiler_47.dll, which is part of Windows, to compile its shaders; it was not found");
  library.find(compile_, "D3DCompile");
}

std::vector<std::byte> Fxc::compile(const std::string& text, const char* name) const {
  ComPtr<ID3DBlob> code;
  ComPtr<ID3DBlob> messages;
  const HRESULT result = compile_(text.data(), text.size(), name, nullptr, nullptr, "main", "cs_5_0", kFlags, 0,
                                  code.put(), messages.put());
  if (FAILED(result)) {
    fail(SLU_ERROR_DRIVER, "D3DCompile: refuses the kernel ", name, ": ", messageOf(messages.get()));
  }
  return bytesOf(code.get());
}

}  // namespace slu
