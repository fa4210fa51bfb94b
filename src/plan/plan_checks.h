// From what the host describes to what the routes run.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"

namespace slu {

// Checks every field but sType, structSize, pNext and route; the sentence of a failure begins with the field.
PlanLayout checkPlan(const SluPlanCreateInfo& info);

}  // namespace slu
