// Reads modules of SPIR-V, by its specification.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace slu::test {

using Words = std::span<const std::uint32_t>;

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
