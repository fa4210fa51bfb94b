// The library's shaders as the build packs them: cmake/pack_spirv.cmake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace slu {

// A SPIR-V module in the gzip format (RFC 1952).
struct PackedSpirv {
  const unsigned char* bytes = nullptr;
  std::size_t byteCount = 0;
  std::size_t wordCount = 0;  // of the module; 0: there is none
};

// The module's words.
std::vector<std::uint32_t> unpack(const PackedSpirv& packed);

// The text that the bytes of a gzip file hold. size: of the text.
std::string unpackText(const unsigned char* bytes, std::size_t byteCount, std::size_t size);

}  // namespace slu
