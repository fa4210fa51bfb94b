#include "program/progress.h"

#include <cstdio>

#include "hosting/terminal.h"

namespace bench {
Progress::Progress(size_t total) : total_(total), enabled_(hosting::isOnTerminal()) {}

Progress::~Progress() { clear(); }

void Progress::begin(size_t done, const std::string& item) {
  if (!enabled_) return;
  clear();
  shown_ = true;
  std::fprintf(stderr, "%zu/%zu %s", done + 1, total_, item.c_str());
  if (done != 0) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    std::fprintf(stderr, ", %.0f s left", elapsed / static_cast<double>(done) * static_cast<double>(total_ - done));
  }
  std::fflush(stderr);
}

void Progress::clear() {
  if (!shown_) return;
  shown_ = false;
  std::fprintf(stderr, "\r\033[K");
  std::fflush(stderr);
}

}  // namespace bench
