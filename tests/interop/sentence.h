// The sentence a call fails with.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace slu::test {

// "" when call does not fail. What it fails with otherwise must be `expected`.
template <typename Call>
std::string sentenceOf(SluResult expected, const Call& call) {
  try {
    call();
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.result(), expected) << error.what();
    return error.what();
  }
}

#define EXPECT_SENTENCE(sentence, part) EXPECT_PRED2(contains, sentence, part)

inline bool contains(const std::string& sentence, const std::string& part) {
  return sentence.find(part) != std::string::npos;
}

}  // namespace slu::test
