// Counts as people write them: 1000, 2^28.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bench {

// Decimal digits, or 2^k; nothing when the text is neither or the count is above 2^32 - 1.
std::optional<uint32_t> parseCount(const std::string& text);

// 2^k for powers of two from 2^10 on, decimal digits otherwise.
std::string formatCount(uint64_t count);

}  // namespace bench
