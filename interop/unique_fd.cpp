#include "interop/unique_fd.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace slu {

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) close(fd_);  // never retried: on Linux the fd is gone even after EINTR
}

UniqueFd UniqueFd::duplicateOf(int fd) {
  const int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) {
    const bool isNone = errno == EBADF;
    fail(isNone ? SLU_ERROR_INVALID_ARGUMENT : SLU_ERROR_DRIVER, "file descriptor ", fd,
         " cannot be duplicated: ", std::strerror(errno));
  }
  return UniqueFd(copy);
}

void UniqueFd::closeOnExec() {
  if (fcntl(fd_, F_SETFD, FD_CLOEXEC) < 0) {
    fail(SLU_ERROR_DRIVER, "file descriptor ", fd_, " cannot be marked FD_CLOEXEC: ", std::strerror(errno));
  }
}

}  // namespace slu
