#include "base/unpack.h"

#include <zlib.h>

#include <new>

#include "base/error.h"

namespace slu {

void unpackInto(void* to, std::size_t size, const unsigned char* bytes, std::size_t byteCount) {
  constexpr int kGzip = MAX_WBITS + 16;  // as inflateInit2 has it
  z_stream stream{};
  stream.next_in = const_cast<Bytef*>(bytes);
  stream.avail_in = static_cast<uInt>(byteCount);
  stream.next_out = static_cast<Bytef*>(to);
  stream.avail_out = static_cast<uInt>(size);
  int result = inflateInit2(&stream, kGzip);
  if (result == Z_OK) {
    result = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
  }
  if (result == Z_MEM_ERROR) throw std::bad_alloc();
  if (result != Z_STREAM_END || stream.avail_out != 0) {
    fail(SLU_ERROR_INTERNAL, "the code of a kernel does not unpack: ", result);
  }
}

std::string unpackText(const unsigned char* bytes, std::size_t byteCount, std::size_t size) {
  std::string text(size, '\0');
  unpackInto(text.data(), size, bytes, byteCount);
  return text;
}

}  // namespace slu
