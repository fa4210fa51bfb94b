// What this process holds open.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace slu::test {

std::size_t openFdCount();
bool isOpen(int fd);
bool closesOnExec(int fd);
int openAnything();  // an fd of a file that only it refers to

// Other code of the process: opens and closes fds between the calls under test, so that a number that was closed is
// soon another file's. A double close then closes one of these, which check() sees.
class FdChurn {
 public:
  FdChurn() = default;
  FdChurn(const FdChurn&) = delete;
  FdChurn& operator=(const FdChurn&) = delete;
  ~FdChurn();

  void step();
  bool areAllOurs() const;
  std::size_t count() const { return held_.size(); }

 private:
  struct Held {
    int fd;
    ino_t file;
  };
  std::vector<Held> held_;
  std::size_t steps_ = 0;
};

}  // namespace slu::test
