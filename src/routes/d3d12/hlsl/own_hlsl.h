// The library's kernels in HLSL: those of frames in several dispatches.
#pragma once

#include <string>

#include "routes/shaders/kernel.h"

namespace slu {

// Returns the text of a kernel, for cs_5_0 if subgroups are emulated, else for cs_6_0, with the entry point main. It is
// empty if there is none. Lines `#define SPIRV_CROSS_CONSTANT_ID_n value` must stand before it, for each specialization
// constant n (KernelConstants): without one, the constant has the value that shaders/kernel.glsl gives it. The registers
// are those of registers.h.
//
// FXC, the compiler for cs_5_0, takes 0.1 to 1.8 s of a processor for a kernel whose tiles have one row (kRows = 1), and
// five times as long with four rows, since it compiles each row by itself. DXC takes at most 0.4 s with four rows. FXC's
// time hardly depends on its flags: with D3DCOMPILE_SKIP_OPTIMIZATION or level 0 it takes as long or longer. Both must be
// told to keep floats exact, by D3DCOMPILE_IEEE_STRICTNESS and -Gis. tests/hlsl prints a table of times.
std::string hlslOf(Kernel kernel, bool emulatesSubgroups);

}  // namespace slu
