// The predicate of SLU_LIVE_CUSTOM.
#pragma once

#include <sluice/sluice_cuda.h>

#include <array>
#include <string>
#include <vector>

namespace slu {

using PredicateState = std::array<unsigned char, SLU_MAX_PREDICATE_STATE>;

// Holds either functions of the host or source code. All members are null and empty if the plan has no custom
// predicate.
struct CustomPredicate {
  SluCudaLaunchFunction launch = nullptr;
  SluCudaBlocksFunction blocks = nullptr;
  std::string source;
  std::vector<std::string> options;
  std::uint32_t stateSize = 0;
  PredicateState state{};
};

}  // namespace slu
