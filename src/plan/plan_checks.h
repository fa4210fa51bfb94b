// From what the host describes to what the routes run.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"
#include "plan/predicate_checks.h"

namespace slu {

// Checks every field but sType, structSize and route; the sentence of a failure begins with the field. predicates: those
// of the route that the plan runs on.
PlanLayout checkPlan(const SluPlanCreateInfo& info, const PredicateStructs& predicates);

}  // namespace slu
