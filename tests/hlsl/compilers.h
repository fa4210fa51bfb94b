// Microsoft's compilers of HLSL, which exist for Windows: FXC is d3dcompiler_47.dll, and DXC is dxcompiler.dll.
#pragma once

#include <cstddef>
#include <string>

namespace slu::test {

struct Compilation {
  bool isCode = false;
  std::size_t bytes = 0;    // of the code
  double milliseconds = 0;  // of the processor
  std::string messages;
};

// Whether the compiler can be loaded.
bool hasFxc();
bool hasDxc();

// By FXC for cs_5_0, with floats that round as the text says.
Compilation compileByFxc(const std::string& text);
// The same by DXC for cs_6_0.
Compilation compileByDxc(const std::string& text);

}  // namespace slu::test
