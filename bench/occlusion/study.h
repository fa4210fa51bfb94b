// Occlusion on the GPU: a street whose walls hide most records, Sluice's frames and pyramids, and those of `levels`.
#pragma once

#include <vector>

#include "arena/results.h"
#include "arena/trial_settings.h"
#include "occlusion/street.h"

namespace bench {

// Streets whose seed is that of the run.
std::vector<StreetSettings> occlusionStreets();

// On a device that is the current one. The trial says how frames are launched, how often, and after which warm-up.
std::vector<OcclusionResult> studyOcclusion(int device, const TrialSettings& trial,
                                            const std::vector<StreetSettings>& streets);

}  // namespace bench
