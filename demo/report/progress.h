// Shows on the terminal how far a long run is.
#pragma once

#include <chrono>
#include <cstdint>

namespace demo {

class Progress {
 public:
  Progress(uint32_t frameCount, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void frameDone(uint32_t keptCount);

 private:
  using Clock = std::chrono::steady_clock;

  uint32_t frameCount_;
  uint32_t doneCount_ = 0;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point lastShown_ = start_;
};

}  // namespace demo
