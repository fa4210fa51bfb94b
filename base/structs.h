// The versioned structs of the C ABI: each starts with sType, structSize and pNext. Reading one copies it, so that what
// follows sees every field, whatever version the host was compiled against.
#pragma once

#include <sluice/sluice.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <type_traits>

#include "base/error.h"

namespace slu {

// sType as a plain number: a host may pass values that are not of the enum.
struct StructHeader {
  std::uint32_t sType;
  std::uint32_t structSize;
  const void* pNext;
};

inline StructHeader readHeader(const void* in) {
  StructHeader header;
  std::memcpy(&header, in, sizeof(header));
  return header;
}

// Reads a field as bytes, since it may hold a value that is not of its enum.
template <typename Enum>
std::uint32_t enumWord(const Enum& field) {
  static_assert(sizeof(Enum) == sizeof(std::uint32_t));
  std::uint32_t value;
  std::memcpy(&value, &field, sizeof(value));
  return value;
}

// last: the enum's highest value.
template <typename Enum>
void checkEnum(const Enum& field, std::uint32_t last, const char* name) {
  const std::uint32_t value = enumWord(field);
  require(value <= last, name, ": is ", value, ", must be at most ", last);
}

inline void checkFlags(SluFlags value, SluFlags known, const char* field) {
  require((value & ~known) == 0, field, ": is ", value, ", and only the bits of ", known, " have a meaning");
}

// A struct of a newer version may have so many more bytes; what is claimed beyond is not looked at.
constexpr std::uint32_t kMostUnknownBytes = 1024;

// Of the struct in the first version that had it, and as it is known here. Structs grow at their end only.
struct StructSizes {
  std::uint32_t first;
  std::uint32_t known;
};

StructHeader checkFields(const void* in, SluStructureType type, StructSizes sizes, const char* name);

// Null is refused in the header, where compilers that copy the struct see it: they warn of a copy from null otherwise.
inline StructHeader checkHeader(const void* in, SluStructureType type, StructSizes sizes, const char* name) {
  require(in != nullptr, name, ": is null");
  return checkFields(in, type, sizes, name);
}

// A struct of a newer version is accepted while the bytes from `known` on, which are unknown here, are zero.
void checkUnknownBytes(const void* in, std::uint32_t structSize, std::uint32_t known, const char* name);

// A copy of the input struct, fields that the host's version lacks set to zero.
template <typename T>
T readStruct(const T* in, SluStructureType type, std::uint32_t firstSize, const char* name) {
  static_assert(std::is_trivially_copyable_v<T>);
  const StructHeader header = checkHeader(in, type, {firstSize, sizeof(T)}, name);
  checkUnknownBytes(in, header.structSize, sizeof(T), name);
  T copy{};
  std::memcpy(static_cast<void*>(&copy), in, std::min<std::size_t>(header.structSize, sizeof(T)));
  return copy;
}

// Fills the struct that the host handed over, as far as its version reaches; its header stays. checkHeader came before.
template <typename T>
void writeStruct(T* out, T filled) {
  static_assert(std::is_trivially_copyable_v<T>);
  const StructHeader header = readHeader(out);
  std::memcpy(static_cast<void*>(&filled), &header, sizeof(header));
  std::memcpy(static_cast<void*>(out), &filled, std::min<std::size_t>(header.structSize, sizeof(T)));
}

// Every struct of the chain has one of the allowed types, each at most once, which also ends a chain that is a circle.
// found: an element per allowed type, which receives the struct of that type; or empty.
void checkChain(const void* pNext, std::span<const SluStructureType> allowed, const char* name,
                std::span<const void*> found = {});
inline void checkChain(const void* pNext, std::initializer_list<SluStructureType> allowed, const char* name) {
  checkChain(pNext, std::span(allowed.begin(), allowed.size()), name);
}

// Checks a struct that the call fills, and into which nothing may be chained.
template <typename T>
void checkOutput(const T* out, SluStructureType type, std::uint32_t firstSize, const char* name) {
  checkChain(checkHeader(out, type, {firstSize, sizeof(T)}, name).pNext, {}, name);
}

// "SluFrameInfo".
const char* structName(SluStructureType type);

// The struct of that type in a chain that checkChain accepted, or null.
template <typename T>
const T* findInChain(const void* pNext, SluStructureType type) {
  while (pNext != nullptr) {
    const StructHeader header = readHeader(pNext);
    if (header.sType == static_cast<std::uint32_t>(type)) return static_cast<const T*>(pNext);
    pNext = header.pNext;
  }
  return nullptr;
}

}  // namespace slu
