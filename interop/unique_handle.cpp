#include "interop/unique_handle.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#endif

#include "base/error.h"

namespace slu {

#ifdef _WIN32

UniqueHandle::~UniqueHandle() {
  if (handle_ != kNoHandle) CloseHandle(handle_);
}

void UniqueHandle::finishImport() { *this = UniqueHandle(); }

UniqueHandle UniqueHandle::duplicateOf(SystemHandle handle) {
  const HANDLE process = GetCurrentProcess();
  HANDLE copy = nullptr;
  if (DuplicateHandle(process, handle, process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS) == 0) {
    const DWORD error = GetLastError();
    fail(error == ERROR_INVALID_HANDLE ? SLU_ERROR_INVALID_ARGUMENT : SLU_ERROR_DRIVER, "handle ", handle,
         " cannot be duplicated: DuplicateHandle fails with error ", error);
  }
  return UniqueHandle(copy);
}

void UniqueHandle::preventInheritance() {
  if (SetHandleInformation(handle_, HANDLE_FLAG_INHERIT, 0) == 0) {
    fail(SLU_ERROR_DRIVER, "handle ", handle_,
         " cannot be kept from child processes: SetHandleInformation fails with error ", GetLastError());
  }
}

#else

UniqueHandle::~UniqueHandle() {
  if (handle_ != kNoHandle) close(handle_);  // never retried: on Linux the fd is gone even after EINTR
}

void UniqueHandle::finishImport() { release(); }

UniqueHandle UniqueHandle::duplicateOf(SystemHandle handle) {
  const int copy = fcntl(handle, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) {
    const bool isNone = errno == EBADF;
    fail(isNone ? SLU_ERROR_INVALID_ARGUMENT : SLU_ERROR_DRIVER, "file descriptor ", handle,
         " cannot be duplicated: ", std::strerror(errno));
  }
  return UniqueHandle(copy);
}

void UniqueHandle::preventInheritance() {
  if (fcntl(handle_, F_SETFD, FD_CLOEXEC) < 0) {
    fail(SLU_ERROR_DRIVER, "file descriptor ", handle_, " cannot be marked FD_CLOEXEC: ", std::strerror(errno));
  }
}

#endif

}  // namespace slu
