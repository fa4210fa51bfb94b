// The kernels' texts in HLSL as the build packs them: cmake/pack_hlsl.cmake.
#pragma once

#include <cstddef>

namespace slu {

// A text in the gzip format (RFC 1952).
struct PackedHlsl {
  const unsigned char* bytes = nullptr;
  std::size_t byteCount = 0;
  std::size_t textBytes = 0;  // of the text; 0: there is none
};

}  // namespace slu
