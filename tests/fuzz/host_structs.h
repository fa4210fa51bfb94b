// The structs that a host hands over, each in a heap block of its own, so that AddressSanitizer sees what is read beyond.
#pragma once

#include <sluice/sluice.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "choices.h"

namespace slu::fuzz {

// Blocks that live as long as this.
class HostStructs {
 public:
  std::byte* block(std::size_t bytes) {
    return blocks_.emplace_back(std::make_unique<std::byte[]>(std::max<std::size_t>(bytes, 1))).get();
  }

  // A copy of the struct, as long as its structSize says; the tail may have a byte set. Where the library must refuse the
  // size, there is the header alone.
  void* place(Choices& choices, const void* info, std::uint32_t bytes);
  template <typename T>
  T* place(Choices& choices, const T& info) {
    return static_cast<T*>(place(choices, &info, std::uint32_t{sizeof(T)}));
  }

  // `count` elements, `stride` apart, nothing behind the last one.
  template <typename T>
  T* array(std::span<const T> elements, std::size_t stride) {
    if (elements.empty()) return reinterpret_cast<T*>(block(1));
    std::byte* to = block((elements.size() - 1) * stride + sizeof(T));
    for (std::size_t i = 0; i < elements.size(); ++i) std::memcpy(to + i * stride, &elements[i], sizeof(T));
    return reinterpret_cast<T*>(to);
  }

  // Null, most of the time; else structs of any types, whose fields are numbers without meaning, null pointers, and a
  // function.
  const void* chain(Choices& choices);

 private:
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
};

constexpr std::uint32_t kLargestTail = 1024;       // bytes beyond the struct, as sluice.h says
constexpr std::uint64_t kLargestArray = 1u << 20;  // bytes

// Changes some words of the struct, pNext and the pointers at these offsets excepted.
void mutate(Choices& choices, void* info, std::uint32_t bytes, std::initializer_list<std::size_t> pointers);

// Mutates one call in four.
template <typename T>
void mayMutate(Choices& choices, T& info, std::initializer_list<std::size_t> pointers) {
  if (choices.chance(4)) mutate(choices, &info, sizeof(T), pointers);
}

}  // namespace slu::fuzz
