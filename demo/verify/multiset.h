// Compares elements in any order, as multisets.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace demo {

// Elements have a fixed stride and are compared as bytes.
struct Elements {
  const std::byte* first;
  size_t stride;
  size_t count;

  const std::byte* at(size_t index) const { return first + index * stride; }
  bool equal(size_t index, const std::byte* other) const { return std::memcmp(at(index), other, stride) == 0; }
};

// Stores a multiset as an open-addressed hash table of the elements that differ.
class Multiset {
 public:
  explicit Multiset(const Elements& elements)
      : elements_(elements), slots_(std::bit_ceil(2 * elements.count + 1), kEmpty), counts_(elements.count) {
    for (size_t index = 0; index < elements.count; ++index) {
      uint32_t& slot = find(elements.at(index));
      if (slot == kEmpty) slot = static_cast<uint32_t>(index);
      ++counts_[slot];
    }
  }

  // Takes one element away. Returns false when it is not there.
  bool take(const std::byte* element) {
    const uint32_t slot = find(element);
    return slot != kEmpty && counts_[slot]-- != 0;
  }

 private:
  static constexpr uint32_t kEmpty = ~0u;

  uint64_t hash(const std::byte* element) const {
    uint64_t value = 0;
    for (size_t offset = 0; offset < elements_.stride; offset += 4) {
      uint32_t word;
      std::memcpy(&word, element + offset, 4);
      value = (value ^ word) * 0x9e3779b97f4a7c15u;
      value ^= value >> 32;
    }
    return value;
  }

  // Returns the slot of an equal element, or the empty one where it would be.
  uint32_t& find(const std::byte* element) {
    for (size_t place = hash(element);; ++place) {
      uint32_t& slot = slots_[place & (slots_.size() - 1)];
      if (slot == kEmpty || elements_.equal(slot, element)) return slot;
    }
  }

  Elements elements_;
  std::vector<uint32_t> slots_;   // an index into the elements
  std::vector<uint32_t> counts_;  // by that index
};

// Returns whether whole has each element of part at least as often as part has it.
inline bool isSubset(const Elements& part, const Elements& whole) {
  Multiset left(whole);
  for (size_t index = 0; index < part.count; ++index) {
    if (!left.take(part.at(index))) return false;
  }
  return true;
}

}  // namespace demo
