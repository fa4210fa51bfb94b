// One workload, all competitors: verified, warmed up, measured in turns, verified again.
#pragma once

#include <memory>

#include "competitor.h"
#include "cuda_objects.h"
#include "results.h"
#include "timed_frames.h"

namespace bench {

struct TrialSettings {
  Mode mode = Mode::Graph;
  bool cold = false;
  uint32_t seed = 1;
  uint32_t repetitionCount = 15;
  double warmUpSeconds = 0.2;
  uint64_t cacheBytes = 0;  // the GPU's L2
};

WorkloadResult runTrial(const TrialSettings& settings, const Workload& workload,
                        const std::vector<std::unique_ptr<Competitor>>& competitors, cudaStream_t stream);

}  // namespace bench
