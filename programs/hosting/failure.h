// A program fails by an exception that carries a sentence for the user, and the kind of cause.
#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace hosting {

enum class Cause {
  BadInput,  // an option, or a file that an option names
  NoDevice,  // the machine has no device or no driver that can be used
  Runtime,   // a call failed
};

class Failure : public std::runtime_error {
 public:
  Failure(Cause cause, const std::string& sentence) : std::runtime_error(sentence), cause_(cause) {}
  Cause cause() const { return cause_; }

 private:
  Cause cause_;
};

// Joins the parts, as operator<< of a stream writes them.
template <typename... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

template <typename... Parts>
[[noreturn]] void failInput(const Parts&... parts) {
  throw Failure(Cause::BadInput, sentence(parts...));
}

template <typename... Parts>
[[noreturn]] void failDevice(const Parts&... parts) {
  throw Failure(Cause::NoDevice, sentence(parts...));
}

template <typename... Parts>
[[noreturn]] void failRuntime(const Parts&... parts) {
  throw Failure(Cause::Runtime, sentence(parts...));
}

}  // namespace hosting
