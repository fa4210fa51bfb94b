// Shared memory that checks every access: bounds, reads of what was never written, and races, that is, two accesses of
// which one writes and which no barrier orders (votes and shuffles order nothing). Atomics do not race with each other.
// Orders made by hand from atomics and fences are not understood. Names of dynamic memory stand for the same bytes.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace simt {

// An access by a thread, in its own time and the block's; see Block::happenedBefore.
struct Access {
  unsigned thread;
  unsigned epoch;  // __syncthreads passed
  unsigned clock;  // other barriers passed or arrived at
};

// Bytes, and what became of each part of them.
struct SharedBytes {
  struct History {
    bool written = false;
    Access lastWrite{};
    std::vector<Access> reads, updates;  // since the write; of the last epoch that had one, the last per thread
  };

  SharedBytes(std::size_t count, std::size_t bytesOfPart)
      : bytes(count, std::byte{0xab}), partBytes(bytesOfPart), parts(count / partBytes) {}

  std::vector<std::byte> bytes;
  const std::size_t partBytes;
  std::vector<History> parts;
};

class Block;

class SharedArray {
 public:
  // An element has whole parts.
  SharedArray(Block& block, const void* key, const char* name, std::size_t elementBytes,
              std::shared_ptr<SharedBytes> memory);

  const void* key() const { return key_; }

  // The element's address, after the check for a plain read, a plain write or an atomic.
  void* read(std::ptrdiff_t index);
  void* write(std::ptrdiff_t index);
  void* update(std::ptrdiff_t index);

 private:
  using History = SharedBytes::History;

  std::span<History> at(std::ptrdiff_t index, const char* verb);  // the element's parts
  void requireWritten(const History& part, const char* verb);
  void requireOrder(const History& part, std::span<const Access> earlier, const char* earlierVerb, const char* verb);
  std::string describe(const History& part, const char* verb) const;
  void* address(std::ptrdiff_t index) { return &memory_->bytes[static_cast<std::size_t>(index) * elementBytes_]; }

  Block& block_;
  const void* key_;
  const char* name_;
  std::size_t elementBytes_;
  std::shared_ptr<SharedBytes> memory_;
};

// The running block's array of that key; made at the first call. A count of 0 stands for the launch's dynamic bytes.
SharedArray& sharedArray(const void* key, const char* name, std::size_t elementBytes, std::size_t count);

template <typename T>
class SharedPointer;

// An element, as an lvalue.
template <typename T>
class SharedRef {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SharedRef(SharedArray& array, std::ptrdiff_t index) : array_(array), index_(index) {}
  SharedRef(const SharedRef&) = default;

  operator T() const { return *static_cast<const T*>(array_.read(index_)); }
  T operator=(const T& value) const { return *static_cast<T*>(array_.write(index_)) = value; }
  T operator=(const SharedRef& other) const { return *this = static_cast<T>(other); }
  T operator+=(const T& value) const { return *this = static_cast<T>(T(*this) + value); }
  T operator-=(const T& value) const { return *this = static_cast<T>(T(*this) - value); }
  T operator|=(const T& value) const { return *this = static_cast<T>(T(*this) | value); }
  T operator&=(const T& value) const { return *this = static_cast<T>(T(*this) & value); }
  T operator^=(const T& value) const { return *this = static_cast<T>(T(*this) ^ value); }
  T operator++() const { return *this += T{1}; }
  T operator--() const { return *this -= T{1}; }
  SharedPointer<T> operator&() const { return {array_, index_}; }

 private:
  SharedArray& array_;
  std::ptrdiff_t index_;
};

template <typename T>
class SharedPointer {
 public:
  SharedPointer(SharedArray& array, std::ptrdiff_t index) : array_(&array), index_(index) {}

  SharedRef<T> operator*() const { return {*array_, index_}; }
  template <std::integral Index>
  SharedRef<T> operator[](Index offset) const {
    return {*array_, index_ + static_cast<std::ptrdiff_t>(offset)};
  }
  template <typename Index>
  SharedRef<T> operator[](const SharedRef<Index>& offset) const {
    return (*this)[static_cast<Index>(offset)];
  }
  template <std::integral Index>
  SharedPointer operator+(Index offset) const {
    return {*array_, index_ + static_cast<std::ptrdiff_t>(offset)};
  }
  T* forAtomic() const { return static_cast<T*>(array_->update(index_)); }
  std::size_t offset() const { return static_cast<std::size_t>(index_); }  // in the array, of elements

 private:
  SharedArray* array_;
  std::ptrdiff_t index_;
};

}  // namespace simt

// In a kernel: SLU_SHARED(uint, total); SLU_SHARED_ARRAY(uint4, tile, 256); SLU_SHARED_DYNAMIC(uint, words); and
// SLU_SHARED_POINTER(uint) for the type of a function's parameter that points into them.
#define SLU_SHARED_ARRAY(Type, name, count) \
  static const char name##Key = 0;          \
  const simt::SharedPointer<Type> name(simt::sharedArray(&name##Key, #name, sizeof(Type), (count)), 0)
#define SLU_SHARED(Type, name)     \
  static const char name##Key = 0; \
  const simt::SharedRef<Type> name(simt::sharedArray(&name##Key, #name, sizeof(Type), 1), 0)
#define SLU_SHARED_DYNAMIC(Type, name) SLU_SHARED_ARRAY(Type, name, 0)
#define SLU_SHARED_POINTER(Type) simt::SharedPointer<Type>
