// Turns what the host gives for a frame into what the routes run. Nothing here allocates unless it fails.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"

namespace slu {

// Checks every field but sType and structSize. The sentence of a failure begins with the field. target is where the
// frame goes, as in RoutePlan::run.
void checkFrame(const SluFrameInfo& info, const SluPlan_T& plan, void* target, Frame& frame);

}  // namespace slu
