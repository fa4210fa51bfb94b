// A handle of the operating system to memory or a semaphore: a file descriptor, or on Windows an NT handle.
#pragma once

#include <utility>

namespace slu {

#ifdef _WIN32
using SystemHandle = void*;  // a HANDLE
inline constexpr SystemHandle kNoHandle = nullptr;
#else
using SystemHandle = int;
inline constexpr SystemHandle kNoHandle = -1;
#endif

// The handle in here is ours: it is closed with this object unless release() gave it away. A call that gives a handle to
// a driver takes a UniqueHandle&, and calls finishImport() exactly when the driver has imported it.
class UniqueHandle {
 public:
  UniqueHandle() = default;
  explicit UniqueHandle(SystemHandle handle) : handle_(handle) {}
  UniqueHandle(UniqueHandle&& other) noexcept : handle_(other.release()) {}
  UniqueHandle& operator=(UniqueHandle&& other) noexcept {
    UniqueHandle taken(std::move(other));
    std::swap(handle_, taken.handle_);
    return *this;
  }
  ~UniqueHandle();

  explicit operator bool() const { return handle_ != kNoHandle; }
  SystemHandle get() const { return handle_; }
  SystemHandle release() { return std::exchange(handle_, kNoHandle); }

  // Empties this after a successful import. A file descriptor then belongs to the driver. An NT handle stays ours, and is
  // closed, because the import has a reference of its own.
  void finishImport();

  // Programs started later do not inherit the duplicate. Throws if the handle is not an open one.
  static UniqueHandle duplicateOf(SystemHandle handle);

  // For a handle that a driver made inheritable. A program that another thread starts before this call still inherits it.
  void preventInheritance();

 private:
  SystemHandle handle_ = kNoHandle;
};

}  // namespace slu
