// SPIR-V whose products and sums are not contracted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace slu {

// Whether the words can be walked as instructions: SPIR-V begins with its magic number, and no instruction is empty or
// reaches beyond the end.
bool isSpirv(std::span<const std::uint32_t> module);

// The module with the decoration NoContraction on each arithmetic result. A device may otherwise compute a * b + c with
// one rounding, and then keep other records than the CPU does. The library's own code says so by `precise`; a
// predicate need not.
// module: isSpirv.
std::vector<std::uint32_t> forbidContraction(std::span<const std::uint32_t> module);

}  // namespace slu
