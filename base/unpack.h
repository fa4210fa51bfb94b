// What the build packed: cmake/pack.cmake.
#pragma once

#include <cstddef>
#include <string>

namespace slu {

// Unpacks a file of the gzip format (RFC 1952). size: of what it holds, which is exactly as much as there is room for.
void unpackInto(void* to, std::size_t size, const unsigned char* bytes, std::size_t byteCount);

std::string unpackText(const unsigned char* bytes, std::size_t byteCount, std::size_t size);

}  // namespace slu
