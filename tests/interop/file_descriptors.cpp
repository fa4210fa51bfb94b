#include "file_descriptors.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <stdexcept>

namespace slu::test {
namespace {

ino_t fileOf(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 ? status.st_ino : 0;
}

}  // namespace

std::size_t openFdCount() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all))) - 1;  // less the iterator's own
}

bool isOpen(int fd) { return fcntl(fd, F_GETFD) >= 0; }

bool closesOnExec(int fd) { return (fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0; }

int openAnything() {
  const int fd = memfd_create("sluice-test", MFD_CLOEXEC);
  if (fd < 0) throw std::runtime_error("memfd_create fails");
  return fd;
}

FdChurn::~FdChurn() {
  for (const Held& held : held_) close(held.fd);
}

void FdChurn::step() {
  constexpr std::size_t kMost = 8;
  if (steps_++ % 3 != 2 && held_.size() < kMost) {
    const int fd = openAnything();
    held_.push_back({fd, fileOf(fd)});
  } else if (!held_.empty()) {
    const std::size_t chosen = steps_ % held_.size();
    close(held_[chosen].fd);
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(chosen));
  }
}

bool FdChurn::areAllOurs() const {
  return std::all_of(held_.begin(), held_.end(), [](const Held& held) { return fileOf(held.fd) == held.file; });
}

}  // namespace slu::test
