#include "base/count_text.h"

#include <charconv>
#include <limits>

namespace bench {
namespace {

std::optional<uint32_t> parseDigits(const char* first, const char* last) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

}  // namespace

std::optional<uint32_t> parseCount(const std::string& text) {
  const char* last = text.data() + text.size();
  if (text.rfind("2^", 0) != 0) return parseDigits(text.data(), last);
  const auto exponent = parseDigits(text.data() + 2, last);
  if (!exponent || *exponent >= std::numeric_limits<uint32_t>::digits) return std::nullopt;
  return 1u << *exponent;
}

std::string formatCount(uint64_t count) {
  constexpr uint64_t kShortest = 1u << 10;
  if (count < kShortest || (count & (count - 1)) != 0) return std::to_string(count);
  int exponent = 0;
  while (count >>= 1) ++exponent;
  return "2^" + std::to_string(exponent);
}

}  // namespace bench
