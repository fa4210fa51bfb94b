// The algorithms that papers, blogs and renderers have, as competitors. Unordered ones refuse stable workloads.
#pragma once

#include <memory>
#include <vector>

#include "cuda/competitor.h"

namespace bench {

using CompetitorList = std::vector<std::unique_ptr<Competitor>>;

// The fastest copy of large inputs of the copy study, which takes part in every run.
std::unique_ptr<Competitor> makeCopyKernel();

void addAppending(CompetitorList& competitors);
void addSequences(CompetitorList& competitors);
void addBlockCounts(CompetitorList& competitors);
void addInKernel(CompetitorList& competitors);
void addRenderers(CompetitorList& competitors);
void addCopyLoops(CompetitorList& competitors);

inline void addLiterature(CompetitorList& competitors) {
  addAppending(competitors);
  addSequences(competitors);
  addBlockCounts(competitors);
  addInKernel(competitors);
  addRenderers(competitors);
  addCopyLoops(competitors);
}

}  // namespace bench
