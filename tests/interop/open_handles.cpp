#include "open_handles.h"

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#endif

#include <algorithm>
#include <stdexcept>

namespace slu::test {
namespace {

#ifdef _WIN32

// Semaphores of openAnything() differ in their count.
std::uint64_t objectOf(SystemHandle handle) {
  LONG count = 0;
  if (ReleaseSemaphore(handle, 1, &count) == 0) return 0;
  WaitForSingleObject(handle, 0);
  return static_cast<std::uint64_t>(count);
}

#else

std::uint64_t objectOf(SystemHandle handle) {
  struct stat status {};
  return fstat(handle, &status) == 0 ? status.st_ino : 0;
}

#endif

}  // namespace

#ifdef _WIN32

namespace {

// The C++ runtime opens some handles for the first exception of the process, and keeps them.
bool throwOnce() {
  try {
    throw std::runtime_error("first");
  } catch (const std::runtime_error&) {
    return true;
  }
}

}  // namespace

// Handles are multiples of 4, and the lowest free one is given out next. Wine's GetProcessHandleCount always says 0.
std::size_t openHandleCount() {
  [[maybe_unused]] static const bool kHasThrown = throwOnce();
  constexpr std::uintptr_t kMost = 256;
  std::size_t count = 0;
  for (std::uintptr_t i = 1; i <= kMost; ++i) count += isOpen(reinterpret_cast<SystemHandle>(4 * i)) ? 1 : 0;
  return count;
}

bool isOpen(SystemHandle handle) {
  DWORD flags = 0;
  return GetHandleInformation(handle, &flags) != 0;
}

bool isInherited(SystemHandle handle) {
  DWORD flags = 0;
  return GetHandleInformation(handle, &flags) != 0 && (flags & HANDLE_FLAG_INHERIT) != 0;
}

void makeInherited(SystemHandle handle) { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT); }

bool closeHandle(SystemHandle handle) { return CloseHandle(handle) != 0; }

SystemHandle openAnything() {
  static LONG last = 0;
  const HANDLE handle = CreateSemaphoreA(nullptr, ++last, 1 << 30, nullptr);
  if (handle == nullptr) throw std::runtime_error("CreateSemaphore fails");
  return handle;
}

#else

std::size_t openHandleCount() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1;  // less the iterator's own
}

bool isOpen(SystemHandle handle) { return fcntl(handle, F_GETFD) >= 0; }

bool isInherited(SystemHandle handle) { return (fcntl(handle, F_GETFD) & FD_CLOEXEC) == 0; }

void makeInherited(SystemHandle handle) { fcntl(handle, F_SETFD, 0); }

bool closeHandle(SystemHandle handle) { return close(handle) == 0; }

SystemHandle openAnything() {
  const int fd = memfd_create("sluice-test", MFD_CLOEXEC);
  if (fd < 0) throw std::runtime_error("memfd_create fails");
  return fd;
}

#endif

HandleChurn::~HandleChurn() {
  for (const Held& held : held_) closeHandle(held.handle);
}

void HandleChurn::step() {
  constexpr std::size_t kMost = 8;
  if (steps_++ % 3 != 2 && held_.size() < kMost) {
    const SystemHandle handle = openAnything();
    held_.push_back({handle, objectOf(handle)});
  } else if (!held_.empty()) {
    const std::size_t chosen = steps_ % held_.size();
    closeHandle(held_[chosen].handle);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
}

bool HandleChurn::areAllOurs() const {
  return std::all_of(held_.begin(), held_.end(), [](const Held& held) { return objectOf(held.handle) == held.object; });
}

}  // namespace slu::test
