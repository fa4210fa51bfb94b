#include "routes/vulkan/spirv/packed_spirv.h"

#include "base/unpack.h"

namespace slu {

std::vector<std::uint32_t> unpack(const PackedSpirv& packed) {
  std::vector<std::uint32_t> words(packed.wordCount);
  unpackInto(words.data(), words.size() * sizeof(std::uint32_t), packed.bytes, packed.byteCount);
  return words;
}

}  // namespace slu
