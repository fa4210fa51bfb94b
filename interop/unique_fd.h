// A POSIX file descriptor.
#pragma once

#include <utility>

namespace slu {

// The fd in here is ours: it is closed with this object unless release() gave it away. A call that gives an fd to a
// driver takes a UniqueFd& and empties it exactly when the driver took it.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(other.release()) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    UniqueFd taken(std::move(other));
    std::swap(fd_, taken.fd_);
    return *this;
  }
  ~UniqueFd();

  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

  // What programs started later do not inherit. Throws when fd is not an open one.
  static UniqueFd duplicateOf(int fd);

  // For an fd that a driver made without FD_CLOEXEC. A fork on another thread before this call still inherits it.
  void closeOnExec();

 private:
  int fd_ = -1;
};

}  // namespace slu
