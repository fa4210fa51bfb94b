#include "plans.h"

#include <algorithm>
#include <utility>

namespace slu::test {
namespace {

std::uint32_t makeOffset(std::uint32_t recordStride, std::uint32_t bytes, Random& random) {
  return random.between(0, (recordStride - bytes) / 4) * 4;
}

SluLive makeRecordTest(PlanSpec& plan, Random& random) {
  SluLive live{};
  live.test = random.pick({SLU_LIVE_NON_EMPTY, SLU_LIVE_POSITIVE_INT, SLU_LIVE_POSITIVE_FLOAT, SLU_LIVE_MASK_EQUAL});
  live.offset = makeOffset(plan.info.recordStride, 4, random);
  if (live.test == SLU_LIVE_NON_EMPTY) live.size = random.between(1, (plan.info.recordStride - live.offset) / 4) * 4;
  if (live.test == SLU_LIVE_MASK_EQUAL) setMask(plan, random);
  return live;
}

// One test, two in either order, or none.
void addRandomLive(PlanSpec& plan, Random& random) {
  plan.info.live = plan.info.secondLive = {};
  const bool testsRecord = random.chance(0.6), testsFlags = random.chance(0.5);
  if (testsRecord) plan.info.live = makeRecordTest(plan, random);
  if (!testsFlags) return;
  SluLive& flags = testsRecord ? plan.info.secondLive : plan.info.live;
  flags.test = random.pick({SLU_LIVE_FLAG_BITS, SLU_LIVE_FLAG_BYTES, SLU_LIVE_FLAG_WORDS});
  if (testsRecord && random.chance(0.5)) std::swap(plan.info.live, plan.info.secondLive);
}

void addRandomCulling(PlanSpec& plan, Random& random) {
  const std::uint32_t stride = plan.info.recordStride;
  const bool fits = stride >= 16;
  const SluBoundsSource source = fits ? random.pick({SLU_BOUNDS_IN_RECORD, SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY})
                                      : random.pick({SLU_BOUNDS_PER_RECORD, SLU_BOUNDS_PER_KEY});
  addCulling(plan, random.below(8), source,
             source == SLU_BOUNDS_IN_RECORD ? makeOffset(stride, 16, random) : random.below(4) * 4);
  if (source != SLU_BOUNDS_IN_RECORD) plan.info.bounds.stride += random.below(4) * 4;
  SluBounds& bounds = plan.info.bounds;
  if (stride >= 12 && random.chance(0.5)) {
    bounds.transformFlags |= SLU_TRANSFORM_POSITION_BIT;
    bounds.positionOffset = makeOffset(stride, 12, random);
  }
  if (random.chance(0.3)) {
    bounds.transformFlags |= SLU_TRANSFORM_SCALE_BIT;
    bounds.scaleOffset = makeOffset(stride, 4, random);
  }
  if (fits && random.chance(0.3)) {
    bounds.transformFlags |= SLU_TRANSFORM_ROTATION_BIT;
    bounds.rotationOffset = makeOffset(stride, 16, random);
  }
}

void addRandomBuckets(PlanSpec& plan, bool mayHaveLods, Random& random) {
  const std::uint32_t keyCount = random.pick({1u, 1u, 2u, 3u, 16u, 100u});
  const std::uint32_t lodCount = mayHaveLods ? random.pick({1u, 2u, 5u, SLU_MAX_LODS}) : 1;
  const std::uint32_t bucketCount = keyCount * lodCount;
  addBuckets(plan, keyCount, lodCount, 0, makeOffset(plan.info.recordStride, 4, random));
  if (keyCount > 1) {
    plan.info.key.shift = random.between(0, 24);
    plan.info.key.bits = random.between(7, std::min(32 - plan.info.key.shift, 8u));
  }
  const std::uint32_t capacity = plan.info.maxRecordCount;
  for (SluBucket& bucket : plan.buckets) {
    bucket.capacity = random.pick({0u, 1u, capacity / bucketCount, capacity, random.below(capacity + 1)});
  }
}

}  // namespace

PlanSpec simplePlan(SluOrder order, std::uint32_t recordStride, std::uint32_t maxRecordCount) {
  PlanSpec plan;
  plan.info.order = order;
  plan.info.recordStride = recordStride;
  plan.info.maxRecordCount = maxRecordCount;
  plan.info.maxViewCount = 1;
  plan.info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
  plan.info.outputs = kAllOutputs & ~SluFlags{SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT};
  return plan;
}

void setMask(PlanSpec& plan, Random& random) {
  plan.info.liveMask = random.pick({1u, 0x80000000u, 0xffu << random.below(25), 0xffffffffu, random.word() | 1u});
  plan.info.liveValue = plan.info.liveMask & random.pick({0u, plan.info.liveMask, random.word()});
}

void addBuckets(PlanSpec& plan, std::uint32_t keyCount, std::uint32_t lodCount, std::uint32_t capacity,
                std::uint32_t keyOffset) {
  plan.info.key = {};
  plan.info.key.keyCount = keyCount;
  plan.info.key.offset = keyCount > 1 ? keyOffset : 0;
  plan.info.key.lodCount = lodCount;
  plan.buckets.assign(std::size_t{keyCount} * lodCount, SluBucket{capacity, {}});
}

void addDraws(PlanSpec& plan, SluDrawType type, std::uint32_t strideBytes, SluFlags flags, Random& random) {
  plan.info.outputs |= SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT;
  plan.info.draws = {type, strideBytes, flags};
  if (plan.buckets.empty()) plan.buckets.assign(1, SluBucket{plan.info.maxRecordCount, {}});
  for (SluBucket& bucket : plan.buckets) {
    SluDrawTemplate& draw = bucket.draw;
    draw = {};
    draw.elementCount = random.between(1, type == SLU_DRAW_VERTICES ? 12 : 0xffffffff);
    if (type == SLU_DRAW_VERTICES) draw.instanceCount = random.word();
    draw.firstElement = random.below(type == SLU_DRAW_VERTICES ? 0x1000000 : 0xffffffff);
    if (type == SLU_DRAW_INDEXED_INSTANCES) draw.vertexOffset = static_cast<std::int32_t>(random.word());
    draw.firstInstance = random.below(type == SLU_DRAW_VERTICES ? 0xffffffff : 0x80000000);
  }
}

void addCulling(PlanSpec& plan, SluFlags cullFlags, SluBoundsSource source, std::uint32_t offset) {
  plan.info.cullFlags = cullFlags;
  plan.info.bounds = {};
  plan.info.bounds.source = source;
  plan.info.bounds.offset = offset;
  if (source != SLU_BOUNDS_IN_RECORD) plan.info.bounds.stride = offset + 16;
}

void addTransform(PlanSpec& plan, SluFlags transformFlags, std::uint32_t offset) {
  SluBounds& bounds = plan.info.bounds;
  bounds.transformFlags = transformFlags;
  if ((transformFlags & SLU_TRANSFORM_POSITION_BIT) != 0) bounds.positionOffset = offset;
  if ((transformFlags & SLU_TRANSFORM_SCALE_BIT) != 0) bounds.scaleOffset = offset + 12;
  if ((transformFlags & SLU_TRANSFORM_ROTATION_BIT) != 0) bounds.rotationOffset = offset + 16;
}

std::vector<PlanSpec> plansOfEveryKernel(SluOrder order, Random& random) {
  constexpr std::uint32_t kMost = 20'000, kMany = 300'000, kCapacity = 4000;
  std::vector<PlanSpec> plans;
  // Records alone: of words by how many they may be, of wider ones by their size.
  const auto addAlone = [&](std::uint32_t stride, std::uint32_t maxRecordCount) -> PlanSpec& {
    PlanSpec& plan = plans.emplace_back(simplePlan(order, stride, maxRecordCount));
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.buckets.assign(1, SluBucket{3 * kCapacity, {}});
    return plan;
  };
  for (const std::uint32_t maxRecordCount : {200'000u, 1'000'000u, 4'000'000u}) addAlone(4, maxRecordCount);
  for (const std::uint32_t stride : {8u, 12u, 16u, 20u, 28u, 32u, 36u, 48u, 64u}) addAlone(stride, kMost);
  for (const std::uint32_t stride : {96u, 128u}) addAlone(stride, kMany);
  for (const std::uint32_t stride : {16u, 32u, 48u, 64u}) addBuckets(addAlone(stride, kMany), 5, 1, kCapacity, 4);
  // What is more than records alone; where spheres decide alone, nobody asks why a record was dropped.
  struct Kind {
    bool isCulled;
    std::uint32_t maxRecordCount;
  };
  for (const auto& [isCulled, maxRecordCount] : {Kind{false, kMost}, Kind{true, kMost}, Kind{true, kMany}}) {
    for (const std::uint32_t keyCount : {1u, 5u}) {
      PlanSpec& plan = plans.emplace_back(simplePlan(order, 32, maxRecordCount));
      plan.info.maxViewCount = 2;
      if (isCulled) {
        plan.info.live = {};
        plan.info.outputs &= ~SluFlags{SLU_OUTPUT_STATISTICS_BIT};
        addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16);
      }
      addBuckets(plan, keyCount, 1, kCapacity, 4);
      addDraws(plan, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    }
  }
  return plans;
}

PlanSpec makeRandomPlan(std::uint32_t maxRecordCount, Random& random) {
  PlanSpec plan;
  plan.info.order = random.pick({SLU_ORDER_UNORDERED, SLU_ORDER_STABLE});
  plan.info.recordStride = random.between(1, random.pick({4u, 16u, 64u})) * 4;
  plan.info.maxRecordCount = maxRecordCount;
  plan.info.maxViewCount = random.pick({1u, 1u, 2u, 5u});
  plan.info.outputs = random.between(1, kAllOutputs);
  addRandomLive(plan, random);
  const bool culls = random.chance(0.6);
  if (culls) addRandomCulling(plan, random);
  const bool draws = plan.writes(SLU_OUTPUT_DRAWS_BIT | SLU_OUTPUT_DRAW_COUNTS_BIT);
  if (draws || random.chance(0.6)) addRandomBuckets(plan, culls, random);
  if (draws) {
    const SluFlags outputs = plan.info.outputs;
    addDraws(plan, random.pick({SLU_DRAW_INSTANCES, SLU_DRAW_VERTICES, SLU_DRAW_INDEXED_INSTANCES}),
             20 + random.below(5) * 4, random.below(2), random);
    plan.info.outputs = outputs;
  }
  if (plan.writes(SLU_OUTPUT_RECORDS_BIT) && random.chance(0.2)) plan.info.flags |= SLU_PLAN_IN_PLACE_BIT;
  if (!plan.buckets.empty() && random.chance(0.2)) plan.info.bucketStride = sizeof(SluBucket) + 8;
  return plan;
}

}  // namespace slu::test
