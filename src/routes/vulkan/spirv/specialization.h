// SPIR-V whose specialization constants have their values, without the code that these make unreachable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace slu {

// Drivers specialize, too, but only once they have translated all of a module, and some make slower code of a module that
// holds unused code. What remains of a kernel is often a quarter.
// module: SPIR-V with one entry point, without debug information beyond names.
// values: by constant_id, of 32 bits each. Constants with other ids keep their defaults.
std::vector<std::uint32_t> specialize(std::span<const std::uint32_t> module, std::span<const std::uint32_t> values);

}  // namespace slu
