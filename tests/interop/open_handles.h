// What this process holds open: fds, or on Windows NT handles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "interop/unique_handle.h"

namespace slu::test {

std::size_t openHandleCount();
bool isOpen(SystemHandle handle);
bool isInherited(SystemHandle handle);  // by programs that are started
void makeInherited(SystemHandle handle);
bool closeHandle(SystemHandle handle);
SystemHandle openAnything();  // an object that only the handle refers to

// Other code of the process: opens and closes handles between the calls under test, so that a number that was closed is
// soon another object's. A double close then closes one of these, which areAllOurs() sees.
class HandleChurn {
 public:
  HandleChurn() = default;
  HandleChurn(const HandleChurn&) = delete;
  HandleChurn& operator=(const HandleChurn&) = delete;
  ~HandleChurn();

  void step();
  bool areAllOurs() const;
  std::size_t count() const { return held_.size(); }

 private:
  struct Held {
    SystemHandle handle;
    std::uint64_t object;
  };
  std::vector<Held> held_;
  std::size_t steps_ = 0;
};

}  // namespace slu::test
