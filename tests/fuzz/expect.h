// What a fuzz target does where the library breaks a promise: it says which, and aborts, so that the input is kept.
#pragma once

#include <sluice/sluice.h>

#include <cstdlib>
#include <iostream>
#include <string>

namespace slu::fuzz {

template <typename... Parts>
void expect(bool condition, const Parts&... parts) {
  if (condition) return;
  std::cerr << "BROKEN: ";
  (std::cerr << ... << parts) << std::endl;
  std::abort();
}

// That a failure's sentence is printable text which begins with the name of a field or an argument.
void expectSentence(SluResult result, const std::string& sentence);

}  // namespace slu::fuzz
