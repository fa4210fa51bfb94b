// Checks the views that the host gives for a frame, and converts them for the kernels. It allocates only for an error.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"

namespace slu {

// Checks frame.viewCount, viewStride, morePlanes, and the fields of each view that the plan reads. The sentence of a
// failure begins with the field. Fills frame.views.
void checkViews(const SluFrameInfo& info, const PlanLayout& layout, Frame& frame);

}  // namespace slu
