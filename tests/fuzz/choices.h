// What a fuzzer's bytes decide.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace slu::fuzz {

// Behind the last byte everything is 0, which always stands for the simplest valid choice.
class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

  bool isEmpty() const { return size_ == 0; }

  std::uint8_t byte() {
    if (size_ == 0) return 0;
    --size_;
    return *data_++;
  }

  std::uint32_t word() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i) value |= std::uint32_t{byte()} << (8 * i);
    return value;
  }

  // Below count, which is not 0.
  std::uint32_t below(std::uint32_t count) { return count <= 256 ? byte() % count : word() % count; }

  // In so many of 16 cases.
  bool chance(std::uint32_t sixteenths) { return byte() % 16 >= 16 - sixteenths; }

  template <typename T>
  T pick(std::initializer_list<T> values) {
    return values.begin()[below(static_cast<std::uint32_t>(values.size()))];
  }

  // Small ones, ends of ranges, or any.
  std::uint32_t number() {
    constexpr std::uint32_t kEnds[] = {255,        256,        257,        4095,       4096,       4097,
                                       0xffff,     0x10000,    0x00ffffff, 0x7f800000, 0x7fc00000, 0x7ffffffe,
                                       0x7fffffff, 0x80000000, 0x80000001, 0xff800000, 0xfffffffc, 0xffffffff};
    const std::uint8_t kind = byte();
    if (kind < 0x80) return kind;
    return kind < 0xe0 ? kEnds[kind % (sizeof(kEnds) / sizeof(kEnds[0]))] : word();
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_;
};

}  // namespace slu::fuzz
