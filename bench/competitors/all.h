// Every competitor there is.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cuda/competitor.h"

namespace bench {

struct CompetitorSettings {
  int device = 0;           // as cudaSetDevice counts
  bool statistics = false;  // Sluice writes its statistics block too
};

std::unique_ptr<Competitor> makeCopy();
std::unique_ptr<Competitor> makeSluice(const CompetitorSettings& settings);

std::unique_ptr<Competitor> makeCub();
std::unique_ptr<Competitor> makeCubTuned();
std::unique_ptr<Competitor> makeCubFlagged();
std::unique_ptr<Competitor> makeCubFlaggedTuned();
std::unique_ptr<Competitor> makeCubPartition();
std::unique_ptr<Competitor> makeCubSort();
std::unique_ptr<Competitor> makeThrustCopyIf();

std::vector<std::unique_ptr<Competitor>> makeCompetitors(const CompetitorSettings& settings);

}  // namespace bench
