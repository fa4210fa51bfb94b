#include "kernels/kernel_image.h"

#include <bit>

#include "base/unpack.h"
#include "packed_kernels.h"

namespace slu {

// Drivers read it in words of 8 bytes.
static_assert(alignof(decltype(image_words)) == 8 && std::endian::native == std::endian::little);

std::span<const char> kernelImage() { return {reinterpret_cast<const char*>(image_words), image_bytes}; }

std::string kernelPtx() { return unpackText(ptx_packed, sizeof(ptx_packed), ptx_bytes); }

}  // namespace slu
