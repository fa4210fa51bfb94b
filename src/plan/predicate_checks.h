// What plans and frames chain for SLU_LIVE_CUSTOM.
#pragma once

#include "plan/custom_predicate.h"

namespace slu {

// Whether plans of the route take the predicate that the plan chains, if it asks for one.
bool takesPredicate(const SluPlanCreateInfo& info, SluRoute route);

// Checks the chain of a plan that runs on `route`. Sentences name the fields of chained structs as the plan's own.
CustomPredicate checkPredicate(const SluPlanCreateInfo& info, SluRoute route);

// The state of a frame that has this chain; checkChain came before.
PredicateState checkPredicateState(const void* pNext, SluLiveTest test, const CustomPredicate& predicate);

}  // namespace slu
