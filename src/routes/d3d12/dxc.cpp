#include "routes/d3d12/dxc.h"

#include <algorithm>
#include <ios>
#include <iterator>
#include <span>

#include "base/com.h"
#include "base/library.h"
#include "routes/d3d12/dxc_interfaces.h"

namespace slu {
namespace {

void check(HRESULT result, const char* call) {
  if (FAILED(result)) {
    fail(SLU_ERROR_DRIVER, call, ": fails with ", std::hex, std::showbase, static_cast<unsigned long>(result));
  }
}

// A compiler is for one thread at a time, so each call has its own.
ComPtr<DxcCompiler> makeCompiler(Dxc::CreateInstance create) {
  ComPtr<DxcCompiler> compiler;
  void* made = nullptr;
  check(create(kDxcCompilerClass, kDxcCompilerInterface, &made), "DxcCreateInstance");
  *compiler.put() = static_cast<DxcCompiler*>(made);
  return compiler;
}

// A container begins with its name and with the 16 bytes of its signature, which are zeros where nobody signed.
bool isSigned(std::span<const std::byte> container) {
  constexpr std::size_t kOffset = 4;
  constexpr std::size_t kBytes = 16;
  return container.size() >= kOffset + kBytes &&
         std::ranges::any_of(container.subspan(kOffset, kBytes), [](std::byte each) { return each != std::byte{}; });
}

}  // namespace

Dxc::Dxc(CreateInstance create, const wchar_t* profile) : create_(create), profile_(profile) {
  if (create_ == nullptr) {
    const std::string names[] = {"dxcompiler.dll"};
    const Library library(names,
                          "d3d12Device.shaderModel: is 6, for which the host ships dxcompiler.dll; it was not found");
    library.find(create_, "DxcCreateInstance");
  }
  makeCompiler(create_);  // so that one that does not work is found now
}

std::vector<std::byte> Dxc::compile(const std::string& text, const char* name, bool hasSource) const {
  const ComPtr<DxcCompiler> compiler = makeCompiler(create_);
  // Floats are computed as they are written: the kept set depends on it.
  const wchar_t* arguments[] = {L"-T", profile_, L"-E", L"main", L"-Gis"};
  const DxcText source{text.data(), text.size(), kDxcUtf8};
  ComPtr<DxcResult> compiled;
  void* made = nullptr;
  const HRESULT result = compiler->Compile(&source, arguments, static_cast<UINT32>(std::size(arguments)), nullptr,
                                           kDxcResultInterface, &made);
  if (result == E_OUTOFMEMORY) failRefused(result, "IDxcCompiler3::Compile", name, hasSource, "");
  check(result, "IDxcCompiler3::Compile");
  *compiled.put() = static_cast<DxcResult*>(made);
  HRESULT status = E_FAIL;
  check(compiled->GetStatus(&status), "IDxcOperationResult::GetStatus");
  if (FAILED(status)) {
    ComPtr<ID3DBlob> messages;
    compiled->GetErrorBuffer(messages.put());
    failRefused(status, "IDxcCompiler3::Compile", name, hasSource, messageOf(messages.get()));
  }
  ComPtr<ID3DBlob> code;
  check(compiled->GetResult(code.put()), "IDxcOperationResult::GetResult");
  std::vector<std::byte> bytes = bytesOf(code.get());
  if (!isSigned(bytes)) {
    fail(SLU_ERROR_ROUTE_UNAVAILABLE,
         "d3d12Device.shaderModel: is 6, and dxcompiler.dll does not sign shaders; put its release's dxil.dll beside "
         "it");
  }
  return bytes;
}

}  // namespace slu
