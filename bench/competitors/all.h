// Every competitor there is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "arena/sluice_plan.h"
#include "cuda/competitor.h"

namespace bench {

struct CompetitorSettings {
  int device = 0;                                 // as cudaSetDevice counts
  std::vector<PlanChoices> plans{PlanChoices()};  // Sluice competes with each of them
};

std::unique_ptr<Competitor> makeCopy();
// device: as cudaSetDevice counts.
std::unique_ptr<Competitor> makeSluice(int device, const PlanChoices& choices);

std::unique_ptr<Competitor> makeCub();
std::unique_ptr<Competitor> makeCubTuned();
std::unique_ptr<Competitor> makeCubFlagged();
std::unique_ptr<Competitor> makeCubFlaggedTuned();
std::unique_ptr<Competitor> makeCubPartition();
std::unique_ptr<Competitor> makeCubSort();
std::unique_ptr<Competitor> makeThrustCopyIf();

std::vector<std::unique_ptr<Competitor>> makeCompetitors(const CompetitorSettings& settings);

}  // namespace bench
