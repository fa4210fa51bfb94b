// Occlusion behind the API: what a frame's SluOcclusionInfo becomes.
#pragma once

#include "plan/layout.h"

namespace slu {

// Checks every field but the bindings, and prepares the views. The sentence of a failure begins with the field. chained:
// as the host gave it. Returns it as this version knows it.
SluOcclusionInfo checkOcclusion(const SluOcclusionInfo* chained, const SluFrameInfo& info, const PlanLayout& layout,
                                Frame& frame);

}  // namespace slu
