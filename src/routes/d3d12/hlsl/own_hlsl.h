// The library's kernels in HLSL: those of frames in several dispatches.
#pragma once

#include <string>

#include "routes/shaders/kernel.h"

namespace slu {

// Returns the text of a kernel, for cs_5_0 if subgroups are emulated, else for cs_6_0, with the entry point main. It is
// empty if there is none. Lines `#define SPIRV_CROSS_CONSTANT_ID_n value` must stand before it, for each specialization
// constant n (KernelConstants): without one, the constant has the value that shaders/kernel.glsl gives it. The registers
// are those of registers.h.
std::string hlslOf(Kernel kernel, bool emulatesSubgroups);

}  // namespace slu
