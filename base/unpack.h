// Unpacks the code of kernels. The build packs it with cmake/pack.cmake, in the gzip format (RFC 1952).
#pragma once

#include <cstddef>
#include <string>

namespace slu {

// bytes, byteCount: a gzip file. size: how many bytes it unpacks to. Throws SLU_ERROR_INTERNAL if that is not so.
void unpackInto(void* to, std::size_t size, const unsigned char* bytes, std::size_t byteCount);

// Does the same for a text.
std::string unpackText(const unsigned char* bytes, std::size_t byteCount, std::size_t size);

}  // namespace slu
