// Turns the plan that the host describes into the one that the routes run.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"
#include "plan/predicate_checks.h"

namespace slu {

// Checks every field except sType, structSize and route. The sentence of a failure begins with the field. predicates
// says what plans of the chosen route may chain.
PlanLayout checkPlan(const SluPlanCreateInfo& info, const PredicateStructs& predicates);

}  // namespace slu
