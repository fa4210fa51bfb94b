// The views of a frame: what the host gives, checked, and as the kernels read it. Nothing here allocates unless it fails.
#pragma once

#include <sluice/sluice.h>

#include "plan/layout.h"

namespace slu {

// Judges frame.viewCount, viewStride and those fields of each view that the plan reads; the sentence of a failure begins
// with the field.
void checkViews(const SluFrameInfo& info, const PlanLayout& layout, Frame& frame);

}  // namespace slu
