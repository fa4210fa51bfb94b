// Plans that tests start from.
#pragma once

#include "random.h"
#include "scene.h"

namespace slu::test {

constexpr SluOrder kOrders[] = {SLU_ORDER_UNORDERED, SLU_ORDER_STABLE};
constexpr SluFlags kAllOutputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_DRAWS_BIT |
                                 SLU_OUTPUT_DRAW_COUNTS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;

// Keeps records whose first word is not zero; writes everything but draws.
PlanSpec simplePlan(SluOrder order, std::uint32_t recordStride, std::uint32_t maxRecordCount);

// The bits that SLU_LIVE_MASK_EQUAL compares, and what they must be: often zeros.
void setMask(PlanSpec& plan, Random& random);

// keyCount * lodCount buckets that hold `capacity` records each. The key is the word at keyOffset.
void addBuckets(PlanSpec& plan, std::uint32_t keyCount, std::uint32_t lodCount, std::uint32_t capacity,
                std::uint32_t keyOffset = 0);

// Draw commands and counts; gives the plan a bucket when it has none yet.
void addDraws(PlanSpec& plan, SluDrawType type, std::uint32_t strideBytes, SluFlags flags, Random& random);

// Culling by a sphere at `offset` of the record, or in a stream of 16 + offset bytes per element.
void addCulling(PlanSpec& plan, SluFlags cullFlags, SluBoundsSource source, std::uint32_t offset);

// Position, scale and rotation, in this order, from `offset` of the record on, as the flags say.
void addTransform(PlanSpec& plan, SluFlags transformFlags, std::uint32_t offset);
constexpr std::uint32_t kTransformBytes = 32;

// One for each kernel of the CUDA route that compacts in this order; tests/simt checks that none is missing. Buckets
// are small, so that plans of many records write little.
std::vector<PlanSpec> plansOfEveryKernel(SluOrder order, Random& random);

// Valid, and otherwise anything the header allows, at sizes that a test can afford.
PlanSpec makeRandomPlan(std::uint32_t maxRecordCount, Random& random);

}  // namespace slu::test
