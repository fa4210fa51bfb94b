// A line on the terminal that says how far a long run is.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace bench {

class Progress {
 public:
  explicit Progress(size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows that the named item begins, after `done` ones.
  void begin(size_t done, const std::string& item);

  // Takes the line away, so that other lines may be printed.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  size_t total_;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
};

}  // namespace bench
