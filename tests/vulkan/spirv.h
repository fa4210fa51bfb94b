// Reads modules of SPIR-V, by its specification.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "routes/vulkan/spirv/packed_spirv.h"

namespace slu::test {

using Words = std::span<const std::uint32_t>;

// A kernel of the library's.
struct NamedModule {
  NamedModule(const char* itsName, const PackedSpirv& packed) : name(itsName), module(unpack(packed)) {}

  const char* name;
  std::vector<std::uint32_t> module;
};

constexpr std::size_t kHeaderWords = 5;

// Calls use(op, operands) for each instruction, in their order.
template <typename Use>
void forEachInstruction(Words module, const Use& use) {
  for (std::size_t at = kHeaderWords; at < module.size();) {
    const std::size_t length = module[at] >> 16;
    ASSERT_TRUE(length != 0 && length <= module.size() - at) << "no SPIR-V";
    use(module[at] & 0xffffu, module.subspan(at + 1, length - 1));
    at += length;
  }
}

}  // namespace slu::test
