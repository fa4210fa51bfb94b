// The predicates of the tests as functions of the host.
#pragma once

#include <deque>

#include "custom_scene.h"

namespace slu::test {

// Of Keyed, and if isKeyed is not set of Weighted, which begins with the same state. The struct points to it.
inline SluHostPredicateInfo hostPredicate(const Keyed& keyed, bool isKeyed) {
  auto info = SLU_INIT(HOST_PREDICATE_INFO, SluHostPredicateInfo);
  info.isLive = [](const void* state, const void* record, std::uint32_t index) -> SluBool32 {
    return (*static_cast<const Keyed*>(state))(record, index) ? 1 : 0;
  };
  if (isKeyed) {
    info.keyWord = [](const void* state, const void* record, std::uint32_t index) {
      return std::uint32_t{static_cast<const Keyed*>(state)->key(record, index)};
    };
  }
  info.state = &keyed;
  info.stateSize = sizeof(keyed);
  return info;
}

}  // namespace slu::test
