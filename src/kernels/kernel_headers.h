// The headers of the kernels as text, for NVRTC. The build generates the source file from the headers.
#pragma once

#include <span>

namespace slu {

struct KernelHeader {
  const char* name;  // as an #include spells it
  const char* text;
};

std::span<const KernelHeader> kernelHeaders();

}  // namespace slu
