// One workload, all competitors of all arenas: verified, warmed up, measured in turns, verified again.
#pragma once

#include <memory>
#include <vector>

#include "arena/arena.h"

namespace bench {

WorkloadResult runTrial(const TrialSettings& settings, const Workload& workload,
                        const std::vector<std::unique_ptr<Arena>>& arenas);

}  // namespace bench
