// Where the kernels run: the GPU, or the CPU executor of tests/simt. One of executor_gpu.cpp and executor_simt.cpp is
// linked.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "random.h"

namespace slu::test {

struct Shape {
  unsigned x = 1, y = 1, z = 1;
  unsigned count() const { return x * y * z; }
};

std::string whyNoExecutor();  // empty when kernels can run
unsigned trialCount();        // how many random cases a test tries

// Memory that host and kernels share.
void* allocateShared(std::size_t bytes);
void freeShared(void* memory);

// Runs a kernel to its end. function: what CUDA launches with the arguments' addresses; body: the same as a plain call.
testing::AssertionResult run(unsigned blocks, const Shape& block, const void* function, void** arguments,
                             const std::function<void()>& body);

template <typename... Parameters, typename... Arguments>
testing::AssertionResult launch(unsigned blocks, const Shape& block, void (*kernel)(Parameters...),
                                Arguments... arguments) {
  std::tuple<Parameters...> values(arguments...);
  return std::apply(
      [&](auto&... each) {
        void* addresses[] = {const_cast<void*>(static_cast<const void*>(&each))...};
        return run(blocks, block, reinterpret_cast<const void*>(kernel), addresses, [&] { kernel(each...); });
      },
      values);
}

// An array in shared memory between canaries, which must be whole at the end.
template <typename T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count), memory_(allocateShared((count + 2 * kGuard) * sizeof(T))) {
    std::memset(memory_, kPoison, (count + 2 * kGuard) * sizeof(T));
  }
  Array(std::size_t count, const T& value) : Array(std::vector<T>(count, value)) {}
  explicit Array(const std::vector<T>& values) : Array(values.size()) { std::ranges::copy(values, data()); }
  ~Array() {
    for (std::size_t i = 0; i < kGuard; ++i) {
      EXPECT_EQ(std::memcmp(data() - 1 - i, &poison(), sizeof(T)), 0) << "before the array, " << describeSeed();
      EXPECT_EQ(std::memcmp(data() + count_ + i, &poison(), sizeof(T)), 0) << "after the array, " << describeSeed();
    }
    freeShared(memory_);
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  T* data() const { return static_cast<T*>(memory_) + kGuard; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return data()[i]; }

  // What no kernel has written.
  static const T& poison() {
    static const T value = [] {
      T bytes;
      std::memset(&bytes, kPoison, sizeof(T));
      return bytes;
    }();
    return value;
  }
  bool isPoison(std::size_t i) const { return std::memcmp(data() + i, &poison(), sizeof(T)) == 0; }

 private:
  static constexpr std::size_t kGuard = 64;
  static constexpr int kPoison = 0xa9;

  std::size_t count_;
  void* memory_;
};

class DeviceTest : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = whyNoExecutor(); !reason.empty()) GTEST_SKIP() << reason;
  }
};

}  // namespace slu::test
