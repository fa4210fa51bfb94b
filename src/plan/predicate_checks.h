// Checks what plans and frames chain for SLU_LIVE_CUSTOM.
#pragma once

#include <span>

#include "plan/custom_predicate.h"

namespace slu {

// The structs that plans of a route may chain to bring a predicate of the host.
struct PredicateStructs {
  const char* route;  // the route's name
  std::span<const SluStructureType> types;
};

// Returns whether plans of the route take a predicate that the plan chains, or the plan needs no predicate.
bool takesPredicate(const SluPlanCreateInfo& info, const PredicateStructs& structs);

// Checks the chain of a plan that runs on the route, and reads the predicate that the route takes. Error sentences name
// a chained struct's field as "plan.FIELD".
CustomPredicate checkPredicate(const SluPlanCreateInfo& info, const PredicateStructs& structs);

// Returns the predicate's state for a frame. chained is the frame's own state, or null to use the plan's.
PredicateState checkPredicateState(const SluPredicateState* chained, SluLiveTest test,
                                   const CustomPredicate& predicate);

}  // namespace slu
