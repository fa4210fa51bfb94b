// Runs a kernel: simt::launch({.grid = 8, .block = 256}, kernel, arguments...) holds when every thread returned without
// a fault; otherwise its message says what happened and how to repeat it.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "random.h"
#include "vector_types.h"

namespace simt {

struct Launch {
  dim3 grid{};
  dim3 block{};
  std::size_t sharedBytes = 0;       // of SLU_SHARED_DYNAMIC
  unsigned workers = 3;              // blocks that run at once; they start in the order of their index
  double patienceSeconds = 20;       // a launch whose threads only spin while no block ends for so long is deadlocked
  bool exitedThreadsArrive = false;  // at barriers and warp calls, as hardware has it
  std::uint64_t seed = slu::test::testSeed();
  std::atomic<std::uint64_t>* atomicCount = nullptr;  // grows by the atomics that are executed
};

// What the workers of one launch share.
struct Grid {
  using Clock = std::chrono::steady_clock;

  const Launch& launch;
  const std::function<void()>& kernel;
  unsigned blockCount;
  std::atomic<unsigned> nextBlock = 0;
  std::atomic<Clock::time_point> lastEnd = Clock::now();
  std::atomic<bool> failed = false;
  std::mutex mutex{};
  std::string message{};  // the first fault

  void fail(const std::string& text);
};

testing::AssertionResult launchFunction(const Launch& launch, const std::function<void()>& kernel);

template <typename Kernel, typename... Arguments>
testing::AssertionResult launch(const Launch& launch, Kernel kernel, Arguments... arguments) {
  return launchFunction(launch, [&] { kernel(arguments...); });
}

}  // namespace simt
