// The contract suite with frames that read records once for all views whenever there are several, however little that saves.
// The limits are linked instead of the library's own.
#include <gtest/gtest.h>

#include <iostream>

#include "routes/shaders/route_limits.h"

namespace slu {
namespace {

std::uint32_t used = 0;

}  // namespace

RouteLimits routeLimits() {
  ++used;
  RouteLimits limits;
  limits.readOnceFrom = 0;
  return limits;
}

}  // namespace slu

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  const bool hasRun = testing::UnitTest::GetInstance()->successful_test_count() != 0;
  if (hasRun && slu::used == 0) std::cout << "No context has these limits\n";
  return hasRun && slu::used == 0 ? 1 : result;
}
