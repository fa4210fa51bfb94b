#include "competitors/all.h"

#include "literature/literature.h"

namespace bench {

std::vector<std::unique_ptr<Competitor>> makeCompetitors(const CompetitorSettings& settings) {
  std::vector<std::unique_ptr<Competitor>> competitors;
  competitors.push_back(makeCopy());
  competitors.push_back(makeCopyKernel());
  competitors.push_back(makeCub());
  competitors.push_back(makeCubTuned());
  competitors.push_back(makeCubFlagged());
  competitors.push_back(makeCubFlaggedTuned());
  competitors.push_back(makeCubPartition());
  competitors.push_back(makeCubSort());
  competitors.push_back(makeThrustCopyIf());
  for (const PlanChoices& choices : settings.plans) competitors.push_back(makeSluice(settings.device, choices));
  addLiterature(competitors);
  return competitors;
}

}  // namespace bench
