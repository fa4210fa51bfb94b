#include "compilers.h"

#include <d3dcompiler.h>
#include <windows.h>

#include <iterator>

namespace slu::test {

// The part of Microsoft's dxcapi.h that is used, since mingw-w64 lacks that header. Compilers take what an
// unnamed namespace declares for interfaces that no class implements.
struct DxcText {
  const void* bytes;
  SIZE_T size;
  UINT codePage;
};

struct DxcResult : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE GetStatus(HRESULT* status) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetResult(ID3DBlob** code) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetErrorBuffer(ID3DBlob** messages) = 0;
};

struct DxcCompiler : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE Compile(const DxcText* text, const wchar_t** arguments, UINT32 argumentCount,
                                            IUnknown* includes, const IID& type, void** result) = 0;
};

namespace {

template <typename Function>
Function functionOf(const char* library, const char* name) {
  const HMODULE module = LoadLibraryA(library);
  if (module == nullptr) return nullptr;
  return reinterpret_cast<Function>(reinterpret_cast<void*>(GetProcAddress(module, name)));
}

pD3DCompile fxc() {
  static const auto function = functionOf<pD3DCompile>("d3dcompiler_47.dll", "D3DCompile");
  return function;
}

constexpr GUID kDxcCompilerClass = {0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
constexpr IID kDxcCompiler3 = {0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
constexpr IID kDxcOperationResult = {0xcedb484a, 0xd4e9, 0x445a, {0xb9, 0x91, 0xca, 0x21, 0xca, 0x15, 0x7d, 0xc2}};

DxcCompiler* dxc() {
  using Create = HRESULT(WINAPI*)(const GUID&, const IID&, void**);
  static DxcCompiler* const compiler = [] {
    void* made = nullptr;
    const auto create = functionOf<Create>("dxcompiler.dll", "DxcCreateInstance");
    if (create != nullptr) create(kDxcCompilerClass, kDxcCompiler3, &made);
    return static_cast<DxcCompiler*>(made);  // for the rest of the program
  }();
  return compiler;
}

double processorMilliseconds() {
  FILETIME created;
  FILETIME ended;
  FILETIME kernel;
  FILETIME user;
  GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user);
  const auto ticks = [](FILETIME time) {
    return static_cast<double>(time.dwHighDateTime) * 4294967296.0 + time.dwLowDateTime;
  };
  return (ticks(kernel) + ticks(user)) / 10000.0;
}

std::string take(ID3DBlob* blob) {
  if (blob == nullptr) return {};
  std::string text(static_cast<const char*>(blob->GetBufferPointer()), blob->GetBufferSize());
  blob->Release();
  return text;
}

Compilation resultOf(HRESULT result, ID3DBlob* code, ID3DBlob* messages, double start) {
  Compilation compilation;
  compilation.milliseconds = processorMilliseconds() - start;
  compilation.bytes = take(code).size();
  compilation.isCode = SUCCEEDED(result) && compilation.bytes != 0;
  compilation.messages = take(messages);
  return compilation;
}

}  // namespace

bool hasFxc() { return fxc() != nullptr; }
bool hasDxc() { return dxc() != nullptr; }

Compilation compileByFxc(const std::string& text) {
  ID3DBlob* code = nullptr;
  ID3DBlob* messages = nullptr;
  const double start = processorMilliseconds();
  const HRESULT result = fxc()(text.data(), text.size(), "kernel", nullptr, nullptr, "main", "cs_5_0",
                               D3DCOMPILE_IEEE_STRICTNESS, 0, &code, &messages);
  return resultOf(result, code, messages, start);
}

Compilation compileByDxc(const std::string& text) {
  const wchar_t* arguments[] = {L"-T", L"cs_6_0", L"-E", L"main", L"-Gis"};
  const DxcText source = {text.data(), text.size(), CP_UTF8};
  void* made = nullptr;
  const double start = processorMilliseconds();
  HRESULT result = dxc()->Compile(&source, arguments, static_cast<UINT32>(std::size(arguments)), nullptr,
                                  kDxcOperationResult, &made);
  if (FAILED(result)) return resultOf(result, nullptr, nullptr, start);
  const auto compiled = static_cast<DxcResult*>(made);
  ID3DBlob* code = nullptr;
  ID3DBlob* messages = nullptr;
  compiled->GetStatus(&result);
  compiled->GetResult(&code);
  compiled->GetErrorBuffer(&messages);
  compiled->Release();
  return resultOf(result, code, messages, start);
}

}  // namespace slu::test
