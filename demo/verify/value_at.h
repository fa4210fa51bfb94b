// Reads values out of bytes.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace demo {

// The value must lie within the bytes.
template <typename Value>
Value valueAt(std::span<const std::byte> bytes, size_t offset) {
  Value value;
  std::memcpy(&value, bytes.subspan(offset, sizeof(value)).data(), sizeof(value));
  return value;
}

}  // namespace demo
