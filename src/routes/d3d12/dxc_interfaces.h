// The part of Microsoft's dxcapi.h that is used: neither mingw-w64 nor DirectX-Headers have that header. Names are ours,
// methods and numbers those of the DirectX Shader Compiler. IDxcBlob and ID3DBlob have the same methods.
#pragma once

#include <d3dcommon.h>

namespace slu {

constexpr UINT kDxcUtf8 = 65001;

// DxcBuffer.
struct DxcText {
  const void* bytes;
  SIZE_T size;
  UINT codePage;
};

// IDxcOperationResult.
struct DxcResult : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE GetStatus(HRESULT* status) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetResult(ID3DBlob** code) = 0;
  virtual HRESULT STDMETHODCALLTYPE GetErrorBuffer(ID3DBlob** messages) = 0;
};

// IDxcCompiler3, to its first method.
struct DxcCompiler : IUnknown {
  virtual HRESULT STDMETHODCALLTYPE Compile(const DxcText* text, const wchar_t** arguments, UINT32 argumentCount,
                                            IUnknown* includes, const IID& type, void** result) = 0;
};

constexpr GUID kDxcCompilerClass = {0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
constexpr IID kDxcCompilerInterface = {0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
constexpr IID kDxcResultInterface = {0xcedb484a, 0xd4e9, 0x445a, {0xb9, 0x91, 0xca, 0x21, 0xca, 0x15, 0x7d, 0xc2}};

}  // namespace slu
