#include "routes/vulkan/packed_spirv.h"

#include <zlib.h>

#include <new>

#include "base/error.h"

namespace slu {

std::vector<std::uint32_t> unpack(const PackedSpirv& packed) {
  constexpr int kGzip = MAX_WBITS + 16;  // as inflateInit2 has it
  std::vector<std::uint32_t> words(packed.wordCount);
  z_stream stream{};
  stream.next_in = const_cast<Bytef*>(packed.bytes);
  stream.avail_in = static_cast<uInt>(packed.byteCount);
  stream.next_out = reinterpret_cast<Bytef*>(words.data());
  stream.avail_out = static_cast<uInt>(words.size() * sizeof(std::uint32_t));
  int result = inflateInit2(&stream, kGzip);
  if (result == Z_OK) {
    result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
  }
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result != Z_STREAM_END || stream.avail_out != 0) fail(SLU_ERROR_INTERNAL, "a shader does not unpack: ", result);
  return words;
}

}  // namespace slu
