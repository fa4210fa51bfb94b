// Loops on all threads of the host: for inputs and checks, never while anything is measured.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace bench {

inline uint32_t threadCount() { return std::max(std::thread::hardware_concurrency(), 1u); }

// Calls function(begin, end) for ranges that make up [0, count). The calls may run at the same time and must not throw.
template <typename Function>
void forRanges(uint64_t count, const Function& function) {
  constexpr uint64_t kLeast = 1u << 16;  // for less a thread is not worth its start
  const uint64_t ranges = std::clamp<uint64_t>(count / kLeast, 1, threadCount());
  std::vector<std::jthread> threads;
  for (uint64_t i = 1; i < ranges; ++i)
    threads.emplace_back([&, i] { function(count * i / ranges, count * (i + 1) / ranges); });
  function(uint64_t{0}, count / ranges);
}

// Returns the lowest index for which isWanted holds, or count.
template <typename Predicate>
uint64_t firstOf(uint64_t count, const Predicate& isWanted) {
  std::atomic<uint64_t> first = count;
  forRanges(count, [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      if (!isWanted(i)) continue;
      uint64_t known = first;
      while (i < known && !first.compare_exchange_weak(known, i)) {
      }
      return;
    }
  });
  return first;
}

}  // namespace bench
