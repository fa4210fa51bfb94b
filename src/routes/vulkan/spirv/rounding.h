// SPIR-V that asks for how floats are rounded.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace slu {

// The module with a declaration: 32-bit floats are rounded to nearest, ties to even. Devices may round otherwise where
// shaders do not ask, and then keep other records than the CPU does.
// module: SPIR-V with one entry point. Versions before 1.4 have float controls as an extension, which is declared, too.
std::vector<std::uint32_t> roundToNearest(std::span<const std::uint32_t> module);

}  // namespace slu
