#include "report/progress.h"

#include <cstdio>

#include "hosting/terminal.h"

namespace demo {
namespace {

constexpr double kQuietSeconds = 1.0;
constexpr double kUpdateSeconds = 0.1;

}  // namespace

Progress::Progress(uint32_t frameCount, bool quiet)
    : frameCount_(frameCount), enabled_(!quiet && hosting::isOnTerminal()) {}

Progress::~Progress() {
  if (shown_) std::fprintf(stderr, "\r\033[K");
}

void Progress::frameDone(uint32_t keptCount) {
  ++doneCount_;
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  if (elapsed < kQuietSeconds || std::chrono::duration<double>(now - lastShown_).count() < kUpdateSeconds) return;
  lastShown_ = now;
  shown_ = true;
  const double left = elapsed / doneCount_ * (frameCount_ - doneCount_);
  std::fprintf(stderr, "\rframe %u/%u, kept %u, %.0f s left\033[K", doneCount_, frameCount_, keptCount, left);
  std::fflush(stderr);
}

}  // namespace demo
