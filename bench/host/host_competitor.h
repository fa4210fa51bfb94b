// Says what a competitor of the host arena implements.
#pragma once

#include <memory>
#include <vector>

#include "arena/contestant.h"
#include "arena/sluice_plan.h"
#include "workload/frame.h"

namespace bench {

// A competitor that is ready to run one workload. It holds all memory that frames need, except input and output.
class PreparedHostCompetitor : public FrameOutcome {
 public:
  // Runs one frame: everything from the input to a complete draw.
  virtual void run() = 0;

  // Overwrites what the latest frame wrote outside the output, so that it cannot pass for the next frame's result.
  virtual void poison() = 0;
};

class HostCompetitor : public Contestant {
 public:
  // Runs in the memory of the set, which outlives the result.
  virtual std::unique_ptr<PreparedHostCompetitor> prepare(const Workload& workload, const FrameSet& set,
                                                          uint32_t bucketCapacity) const = 0;
};

std::unique_ptr<HostCompetitor> makeHostCopy();
std::unique_ptr<HostCompetitor> makeHostLoop();
std::unique_ptr<HostCompetitor> makeHostParallel();
std::unique_ptr<HostCompetitor> makeSluiceCpu(const PlanChoices& choices);

// Sluice's route competes with each of the choices.
std::vector<std::unique_ptr<HostCompetitor>> makeHostCompetitors(const std::vector<PlanChoices>& choices);

}  // namespace bench
