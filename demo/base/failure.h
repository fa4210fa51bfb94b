// How the demo fails: an exception that carries a sentence for the user and the exit code of the program.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace demo {

enum class ExitCode : int {
  Good = 0,
  Mismatch = 1,  // verification failed, or a validation message appeared
  BadInput = 2,  // an option, or a file that an option names
  Runtime = 3,   // the machine lacks something, or a call failed
};

class Failure : public std::runtime_error {
 public:
  Failure(ExitCode code, const std::string& sentence) : std::runtime_error(sentence), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
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
[[noreturn]] void failRuntime(const Parts&... parts) {
  throw Failure(ExitCode::Runtime, sentence(parts...));
}

}  // namespace demo
