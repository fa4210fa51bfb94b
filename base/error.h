// One error type inside the library; src/api turns it into a result and a sentence at the C ABI.
#pragma once

#include <sluice/sluice.h>

#include <locale>
#include <sstream>
#include <stdexcept>
#include <string>

namespace slu {

class Error : public std::runtime_error {
 public:
  Error(SluResult result, const std::string& sentence) : std::runtime_error(sentence), result_(result) {}
  SluResult result() const noexcept { return result_; }

 private:
  SluResult result_;
};

// fail(SLU_ERROR_INVALID_ARGUMENT, "frame.records: needs ", bytes, " bytes, the buffer holds ", size);
template <typename... Parts>
[[noreturn]] void fail(SluResult result, const Parts&... parts) {
  std::ostringstream sentence;
  sentence.exceptions(std::ios::badbit);   // else a stream that is out of memory goes on without its words
  sentence.imbue(std::locale::classic());  // the host's locale may group digits
  (sentence << ... << parts);
  throw Error(result, sentence.str());
}

template <typename... Parts>
void require(bool condition, const Parts&... parts) {
  if (!condition) fail(SLU_ERROR_INVALID_ARGUMENT, parts...);
}

}  // namespace slu
