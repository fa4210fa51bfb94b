// Sluice's competitors of all arenas share the plan and the check of its counts. A frame writes what a renderer
// uses: the kept records or indices, a draw command per bucket, and the draw count.
#pragma once

#include <optional>
#include <sluice/sluice.hpp>
#include <string>
#include <vector>

#include "workload/frame.h"

namespace bench {

// Throws Failure with the context's sentence.
void require(SluContext context, SluResult result, const char* call);

// chained: the structs of the arena's API, or NULL. Throws Failure when the context lacks the route.
slu::Context makeSluiceContext(const void* chained, SluRoute route);

// How a plan tests the first word: whether it is zero, by one of its bits, or whether it is zero by a predicate.
enum class WordTest { NonEmpty, Mask, Custom };

// The choices of a plan that the workload leaves open.
struct PlanChoices {
  bool statistics = false;  // it writes them, too
  WordTest test = WordTest::NonEmpty;
  bool meshes = false;  // a mesh table describes the draws
};

// A mesh of such a table, one per bucket. Each has one level of detail, which is resident.
struct TableMesh {
  uint32_t lodCount = 1;
  uint32_t lodMask = 1;
  uint32_t vertexCount = kDrawVertexCount;
  uint32_t firstVertex = 0;
  uint32_t group = 0;
  uint32_t others[3] = {};  // what a renderer's struct holds besides
};

// Returns the words of the table; of a plan without one, a word that nothing reads.
std::vector<uint32_t> meshWords(const PlanChoices& choices, const Workload& workload);

// Returns the end of the names of competitors with such plans.
std::string suffixOf(const PlanChoices& choices);

// Says why there is no such plan; empty when there is one.
std::string planRefusal(const PlanChoices& choices, const Workload& workload);

slu::Plan makeSluicePlan(SluContext context, SluRoute route, const Workload& workload, uint32_t bucketCapacity,
                         const PlanChoices& choices);

// Returns the views of such a plan's frames; none where a word decides.
std::vector<SluView> sluiceViews(const Workload& workload);

// A frame of that plan over an input and an output, without draws beside the output, draw counts and statistics. views
// are sluiceViews, and outlive the frame. meshes holds meshWords.
SluFrameInfo makeSluiceFrame(const PlanChoices& choices, const Workload& workload, const std::vector<SluView>& views,
                             SluBinding input, SluBinding output, SluBinding meshes);

// statistics: per view; none where the plan has none.
std::optional<std::string> sluiceDifference(const Workload& workload, const std::vector<uint32_t>& keptCounts,
                                            const std::vector<SluStatistics>& statistics);

}  // namespace bench
