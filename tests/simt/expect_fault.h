// For tests that plant a mistake.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>

#include "simt/launch.h"

namespace simt {

// Holds when the kernel fails on several schedules, with messages that have all the parts.
template <typename Kernel>
void expectFault(const Launch& launch, Kernel kernel, std::initializer_list<const char*> parts) {
  for (unsigned i = 0; i < 5; ++i) {
    Launch again = launch;
    again.seed += i;
    const testing::AssertionResult result = simt::launch(again, kernel);
    ASSERT_FALSE(result);
    for (const char* part : parts) EXPECT_PRED_FORMAT2(testing::IsSubstring, part, result.message());
    EXPECT_PRED_FORMAT2(testing::IsSubstring, "SLUICE_TEST_SEED=", result.message());
  }
}

}  // namespace simt
