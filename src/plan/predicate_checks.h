// What plans and frames chain for SLU_LIVE_CUSTOM.
#pragma once

#include <span>

#include "plan/custom_predicate.h"

namespace slu {

// What plans of a route may chain to bring a predicate of the host's.
struct PredicateStructs {
  const char* route;  // its name
  std::span<const SluStructureType> types;
};

// Whether plans of the route take the predicate that the plan chains, if it asks for one.
bool takesPredicate(const SluPlanCreateInfo& info, const PredicateStructs& structs);

// Checks the chain of a plan that runs on the route. Sentences name the fields of chained structs as the plan's own.
CustomPredicate checkPredicate(const SluPlanCreateInfo& info, const PredicateStructs& structs);

// The state of a frame. chained: what it brings, or null.
PredicateState checkPredicateState(const SluCudaPredicateState* chained, SluLiveTest test,
                                   const CustomPredicate& predicate);

}  // namespace slu
