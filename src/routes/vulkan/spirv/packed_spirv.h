// The library's shaders as the build packs them: cmake/pack_spirv.cmake.
#pragma once

#include <cstddef>
#include <cstdint>
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

}  // namespace slu
