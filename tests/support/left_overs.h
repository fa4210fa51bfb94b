// What the validation layer finds left over when the machines are destroyed.
#pragma once

#include <gtest/gtest.h>

#include "machines.h"

namespace slu::test {

// Fails the run for it. A suite adds one by testing::AddGlobalTestEnvironment.
class LeftOvers : public testing::Environment {
 public:
  void TearDown() override {
    destroyMachines();
    EXPECT_EQ(takeMessages(), "") << "when the machines were destroyed";
  }
};

}  // namespace slu::test
