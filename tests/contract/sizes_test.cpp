// Counts of records: none, one, whole tiles and everything between, and many tiles.
#include <algorithm>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kPrimes[] = {2,    3,    5,    7,     31,    61,    127,    257,    509,    1021,
                                     2053, 4093, 8191, 16381, 32771, 65537, 131071, 262147, 524287, 999983};

// A frame for each count over the front of one input, which starts at a random record so that its alignment changes.
Scene makeScene(SceneBuilder& builder, std::uint32_t plan, const Input& input, const std::vector<std::uint32_t>& counts,
                Random& random) {
  Input empty;
  const FrameSpec common = builder.makeFrame(plan, input, builder.plan(plan).info.maxViewCount);
  for (const std::uint32_t count : counts) {
    FrameSpec frame;
    frame.plan = plan;
    frame.recordCount = count;
    frame.viewCount = common.viewCount;
    frame.views = common.views;
    frame.records = common.records;
    frame.records.offset += std::uint64_t{random.below(input.count - count + 1)} * builder.plan(plan).info.recordStride;
    builder.addOutputs(frame);
    builder.addFrame(frame);
  }
  return builder.finish();
}

void expectSizes(Machine& machine, const PlanSpec& plan, const std::vector<std::uint32_t>& counts, Pattern pattern,
                 Random& random) {
  constexpr std::size_t kFramesPerScene = 256;
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (std::size_t first = 0; first < counts.size(); first += kFramesPerScene) {
    const std::size_t last = std::min(first + kFramesPerScene, counts.size());
    const std::vector<std::uint32_t> some(counts.begin() + static_cast<std::ptrdiff_t>(first),
                                          counts.begin() + static_cast<std::ptrdiff_t>(last));
    const std::uint32_t most = *std::max_element(some.begin(), some.end());
    const Input input = makeInput(plan, most + 16, pattern, random);
    ASSERT_TRUE(agrees(machine, makeScene(builder, index, input, some, random))) << "; " << describe(plan);
  }
}

std::vector<std::uint32_t> countTo(std::uint32_t last) {
  std::vector<std::uint32_t> counts(last + 1);
  for (std::uint32_t i = 0; i <= last; ++i) counts[i] = i;
  return counts;
}

// Counts at which the last tile, subgroup or word is full, or not quite.
std::vector<std::uint32_t> countsAroundTiles(std::uint32_t tile, Random& random) {
  std::vector<std::uint32_t> counts = countTo(70);
  for (const std::uint32_t middle : {128u, 256u, tile, 2 * tile}) {
    for (std::uint32_t count = middle - 2; count <= middle + 2; ++count) counts.push_back(count);
  }
  for (int i = 0; i < 30; ++i) counts.push_back(random.between(0, 2 * tile));
  return counts;
}

TEST_P(Contract, EverySizeToTwoTiles) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 1u << 16);
    const std::uint32_t tile = tileOf(plan);
    plan.info.maxRecordCount = 2 * tile + 1;
    plan.buckets.assign(1, {});
    addDraws(plan, SLU_DRAW_INSTANCES, 16, 0, random);
    expectSizes(machine(), plan, countTo(2 * tile + 1), Pattern::half, random);
    plan.info.maxRecordCount = 2 * tile + 2;
    const std::vector<std::uint32_t> some = countsAroundTiles(tile, random);
    for (const Pattern pattern : {Pattern::none, Pattern::all, Pattern::clustered}) {
      expectSizes(machine(), plan, some, pattern, random);
    }
  }
}

TEST_P(Contract, SizesAroundTiles) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 16, 1u << 16);
    plan.info.maxViewCount = 2;
    addBuckets(plan, 5, 1, 700, 4);
    plan.info.key.bits = 3;
    const std::uint32_t tile = tileOf(plan);
    plan.info.maxRecordCount = 2 * tile + 2;
    expectSizes(machine(), plan, countsAroundTiles(tile, random), Pattern::half, random);
  }
}

// The smaller tiles of plans with buckets and views.
TEST_P(Contract, EverySizeToTwoTilesWithBucketsAndViews) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 32, 1u << 16);
    plan.info.maxViewCount = 2;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_IN_RECORD, 8);
    addBuckets(plan, 3, 2, 200, 4);
    const std::uint32_t tile = tileOf(plan);
    plan.info.maxRecordCount = 2 * tile + 1;
    expectSizes(machine(), plan, countTo(2 * tile + 1), Pattern::all, random);
  }
}

TEST_P(Contract, PrimeSizesToAMillion) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = simplePlan(order, 8, 1u << 20);
    for (const std::uint32_t count : kPrimes) {
      ASSERT_TRUE(agreesOn(plan, count, random.pick({Pattern::half, Pattern::sparse, Pattern::clustered})));
    }
  }
}

// Enough that each workgroup has several tiles.
TEST_P(Contract, MillionsOfRecords) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 9'000'000);
    plan.info.outputs &= ~SluFlags{SLU_OUTPUT_RECORDS_BIT};
    ASSERT_TRUE(agreesOn(plan, random.between(8'900'000, 9'000'000), Pattern::half));
    plan.info.live = {};
    addBuckets(plan, 5, 1, 400'000);
    plan.info.key.bits = 3;
    plan.info.maxRecordCount = 4'500'000;
    ASSERT_TRUE(agreesOn(plan, random.between(4'400'000, 4'500'000), Pattern::all));
  }
}

// The same where reasons are counted and what is kept does not fit.
TEST_P(Contract, MillionsOfCulledRecords) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 4, 4'500'000);
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    addCulling(plan, SLU_CULL_DISTANCE_BIT | SLU_CULL_FRUSTUM_BIT | SLU_CULL_SIZE_BIT, SLU_BOUNDS_PER_RECORD, 0);
    plan.buckets.assign(1, SluBucket{100'000, {}});
    ASSERT_TRUE(agreesOn(plan, random.between(4'300'000, 4'500'000), Pattern::all));
  }
}

TEST_P(Contract, EveryPattern) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = simplePlan(order, 12, 10'000);
    for (const Pattern pattern : kPatterns) {
      SCOPED_TRACE("pattern " + std::to_string(static_cast<int>(pattern)));
      ASSERT_TRUE(agreesOn(plan, 10'000, pattern));
      ASSERT_TRUE(agreesOn(plan, random.between(1, 10'000), pattern));
    }
  }
}

// One input with a single live record, and a frame for each place that the record can have in a tile and a bit.
TEST_P(Contract, OneRecordAtEveryPlace) {
  for (const SluOrder order : kOrders) {
    const PlanSpec plan = simplePlan(order, 4, 1u << 16);
    const std::uint32_t count = tileOf(plan) + 1;
    std::vector<std::uint8_t> live(2 * count, 0);
    live[count] = 1;
    const Input input = makeInput(plan, live, random);
    SceneBuilder builder(random);
    PlanSpec small = plan;
    small.info.maxRecordCount = count;
    small.buckets.assign(1, {2, {}});
    const std::uint32_t index = builder.addPlan(small);
    const Place records = builder.addInput(input.records);
    for (std::uint32_t place = 0; place < count; ++place) {
      FrameSpec frame;
      frame.plan = index;
      frame.recordCount = count;
      frame.records = {records.memory, records.offset + std::uint64_t{count - place} * 4};
      builder.addOutputs(frame);
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(small);
  }
}

}  // namespace
}  // namespace slu::test
