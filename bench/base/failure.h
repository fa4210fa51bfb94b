// How the benchmark fails: an exception that carries a sentence for the user and the exit code of the program.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace bench {

enum class ExitCode : int {
  Good = 0,
  Mismatch = 1,  // a competitor's output is wrong
  BadInput = 2,  // an option, or a file that an option names
  NoDevice = 3,  // no GPU that this program can use
  Runtime = 4,   // a call failed
};

class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

// Memory that a competitor asks for is not there; others may need less.
class OutOfMemory : public Failure {
 public:
  explicit OutOfMemory(const std::string& sentence) : Failure(ExitCode::Runtime, sentence) {}
};

template <typename... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

template <typename... Parts>
[[noreturn]] void failInput(const Parts&... parts) {
  throw Failure(ExitCode::BadInput, sentence(parts...));
}

template <typename... Parts>
[[noreturn]] void failDevice(const Parts&... parts) {
  throw Failure(ExitCode::NoDevice, sentence(parts...));
}

template <typename... Parts>
[[noreturn]] void failRuntime(const Parts&... parts) {
  throw Failure(ExitCode::Runtime, sentence(parts...));
}

}  // namespace bench
