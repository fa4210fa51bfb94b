// From what the host describes to what the routes run.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"

namespace slu {

// Checks every field but sType, structSize and route; the sentence of a failure begins with the field. route: the one
// that the plan runs on.
PlanLayout checkPlan(const SluPlanCreateInfo& info, SluRoute route);

}  // namespace slu
