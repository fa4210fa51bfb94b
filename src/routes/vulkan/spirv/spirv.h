// SPIR-V as words: section 2.3 of its specification.
#pragma once

#include <cstddef>
#include <cstdint>

namespace slu::spirv {

constexpr std::size_t kHeaderWords = 5;
constexpr std::uint32_t kOpDecorate = 71;

// The first word of an instruction is its length in words and its code.
constexpr std::uint32_t firstWord(std::uint32_t length, std::uint32_t code) { return length << 16 | code; }
constexpr std::uint32_t lengthOf(std::uint32_t firstWord) { return firstWord >> 16; }
constexpr std::uint32_t codeOf(std::uint32_t firstWord) { return firstWord & 0xffffu; }

}  // namespace slu::spirv
