// Several plans in one command buffer, plans that read what others wrote, plans that work in place, and random plans.
#include <algorithm>

#include "contract.h"

namespace slu::test {
namespace {

TEST_P(Contract, SeveralPlansInTurn) {
  const int scenes = takesAll() ? 8 : 2;  // which all at once may take more than 2 GiB
  for (int scene = 0; scene < scenes; ++scene) {
    SceneBuilder builder(random);
    for (int i = 0; i < 6; ++i) builder.addPlan(makeRandomPlan(2000, random));
    for (int i = 0; i < 15; ++i) {
      const std::uint32_t index = random.below(6);
      const PlanSpec& plan = builder.plan(index);
      const std::uint32_t views = random.between(1, plan.info.maxViewCount);
      builder.addFrame(builder.makeFrame(index, makeInput(plan, random.below(2001), Pattern::half, random), views));
    }
    ASSERT_TRUE(agrees(machine(), builder.finish()));
  }
}

// Where a plan finds out how much the plan before it kept.
struct CountSource {
  const char* name;
  Place FrameSpec::*place;
  std::uint64_t offset;
};
constexpr CountSource kCountSources[] = {
    {"statistics.keptCount", &FrameSpec::statistics, offsetof(SluStatistics, keptCount)},
    {"bucketCounts.keptCount", &FrameSpec::bucketCounts, offsetof(SluBucketCount, keptCount)},
    {"draws.instanceCount", &FrameSpec::draws, 4},
};

// Three plans: each one's kept records are the next one's records, and only the GPU knows how many there are.
TEST_P(Contract, PlansThatReadEachOther) {
  for (const SluOrder order : kOrders) {
    PlanSpec plans[3];
    for (std::uint32_t i = 0; i < 3; ++i) {
      plans[i] = simplePlan(order, 16, 4000);
      plans[i].info.live = {SLU_LIVE_POSITIVE_INT, i * 4, 0};
      addDraws(plans[i], SLU_DRAW_INSTANCES, 16, 0, random);
      if (order == SLU_ORDER_UNORDERED) plans[i].info.outputs &= ~SluFlags{SLU_OUTPUT_INDICES_BIT};
    }
    for (const CountSource& source : kCountSources) {
      SceneBuilder builder(random);
      Input input;
      input.count = 4000;
      input.records.resize(std::size_t{16} * input.count);
      random.fill(input.records);
      FrameSpec before;
      for (std::uint32_t i = 0; i < 3; ++i) {
        FrameSpec frame;
        frame.plan = builder.addPlan(plans[i]);
        frame.recordCount = input.count;
        frame.records = i == 0 ? builder.addInput(input.records) : before.keptRecords;
        if (i > 0) {
          const Place& counts = before.*source.place;
          frame.liveCount = {counts.memory, counts.offset + source.offset};
        }
        builder.addOutputs(frame);
        builder.addFrame(frame);
        before = frame;
      }
      ASSERT_TRUE(agrees(machine(), builder.finish())) << "; live count from " << source.name;
    }
  }
}

// The draws that one plan wrote are the records of the next, and their number is its draw count.
TEST_P(Contract, PlansThatReadDraws) {
  for (const SluOrder order : kOrders) {
    PlanSpec first = simplePlan(order, 8, 3000);
    addBuckets(first, 64, 1, 80, 4);
    first.info.key.bits = 7;
    addDraws(first, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    PlanSpec second = simplePlan(order, 16, 64);
    second.info.live = {SLU_LIVE_POSITIVE_INT, 8, 0};  // the template's firstElement
    SceneBuilder builder(random);
    const FrameSpec frame =
        builder.makeFrame(builder.addPlan(first), makeInput(first, random.between(20, 200), Pattern::half, random));
    FrameSpec reader;
    reader.plan = builder.addPlan(second);
    reader.recordCount = 64;
    reader.records = frame.draws;
    reader.liveCount = frame.drawCounts;
    builder.addOutputs(reader);
    builder.addFrame(frame);
    builder.addFrame(reader);
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(first);
  }
}

// Kept records on top of the records, at every distance between them, views and buckets included.
TEST_P(Contract, InPlace) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 16u, 36u}) {
      PlanSpec plan = simplePlan(order, stride, 5000);
      plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
      plan.info.maxViewCount = 2;
      if (stride > 4) {
        addBuckets(plan, 2, 1, 3000, 4);
        plan.info.key.bits = 1;
      }
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const std::uint32_t shift : {0u, 4u, 16u, stride, 7 * stride, 1000 * stride}) {
        for (const bool forwards : {false, true}) {
          const Input input = makeInput(plan, random.between(1000, 5000), Pattern::half, random);
          const std::uint32_t views = random.between(1, 2);
          const std::uint64_t outputBytes = views * plan.outputsPerView() * stride;
          FrameSpec frame;
          frame.plan = index;
          frame.recordCount = input.count;
          frame.viewCount = views;
          Bytes both(std::max<std::uint64_t>(input.records.size(), outputBytes) + shift);
          random.fill(both);
          std::copy(input.records.begin(), input.records.end(), both.begin() + (forwards ? 0 : shift));
          const Place place = builder.addInput(both);
          frame.records = {place.memory, place.offset + (forwards ? 0 : shift)};
          frame.keptRecords = {place.memory, place.offset + (forwards ? shift : 0)};
          builder.addOutputs(frame);
          builder.addFrame(frame);
        }
      }
      ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
    }
  }
}

// In place, again and again, with the live count of the round before: what is left is what passes every time.
TEST_P(Contract, InPlaceOverAndOver) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 12, 4000);
    plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT;
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    const Place records = builder.addInput(makeInput(plan, 4000, Pattern::half, random).records);
    Place liveCount = builder.addWord(4000);
    for (int round = 0; round < 4; ++round) {
      FrameSpec frame;
      frame.plan = index;
      frame.recordCount = 4000;
      frame.records = records;
      frame.keptRecords = records;
      frame.liveCount = liveCount;
      builder.addOutputs(frame);
      builder.addFrame(frame);
      liveCount = {frame.statistics.memory, frame.statistics.offset + offsetof(SluStatistics, keptCount)};
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << describe(plan);
  }
}

TEST_P(Contract, RandomPlans) {
  const int plans = takesAll() ? 100 : machine().compilesPlans() ? 10 : 20;
  for (int i = 0; i < plans; ++i) {
    PlanSpec plan = makeRandomPlan(random.between(1, 4000), random);
    if (!plan.isMerged() && (plan.hasMeshes() || !plan.hasDraws()) && random.chance(0.2)) {
      makeSparse(plan, random.between(SLU_MAX_BUCKETS + 1, 20'000),
                 std::min(random.between(1, 4000), static_cast<std::uint32_t>(plan.outputsPerView() + 1)));
    }
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (int frame = 0; frame < 4; ++frame) {
      const std::uint32_t count = random.below(plan.info.maxRecordCount + 1);
      const Pattern pattern = kPatterns[random.below(std::size(kPatterns))];
      builder.addFrame(
          builder.makeFrame(index, makeInput(plan, count, pattern, random), random.between(1, plan.info.maxViewCount)));
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; plan " << i << ": " << describe(plan);
  }
}

// Frames that CUDA's kernels read once for all views.
TEST_P(Contract, ManyRecordsInSeveralViews) {
  if (machine().route() != SLU_ROUTE_CUDA && machine().route() != SLU_ROUTE_INLINE) {
    GTEST_SKIP() << "tests/vulkan/contract_views.cpp has such frames of any size";
  }
  constexpr std::uint32_t kMost = 700'000, kViews = 5;
  for (const SluOrder order : kOrders) {
    for (const SluBoundsShape shape : {SLU_SHAPE_SPHERE, SLU_SHAPE_BOX}) {
      for (const std::uint32_t keyCount : {1u, 5u}) {
        PlanSpec plan = simplePlan(order, 64, kMost);
        plan.info.maxViewCount = kViews;
        addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16, shape);
        addBuckets(plan, keyCount, keyCount > 1 ? 3 : 1, 20'000, 8);
        plan.info.key.bits = keyCount > 1 ? 3 : 0;
        addDraws(plan, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
        if (shape == SLU_SHAPE_BOX && keyCount > 1) addMeshes(plan, SLU_MESH_LOD_COUNT_BIT, SLU_LOD_MESH_ERRORS);
        ASSERT_TRUE(agreesOn(plan, random.between(kMost - 2000, kMost), Pattern::half, kViews)) << describe(plan);
      }
    }
  }
}

// Small frames of large plans, which may have other kernels than small plans.
TEST_P(Contract, RandomPlansForMillionsOfRecords) {
  constexpr std::uint32_t kMany = 2'200'000;
  constexpr std::uint32_t kMost = (1u << 26) + 1;  // more tiles than look back on the Vulkan route
  constexpr std::uint32_t kCapacity = 2000;        // of a bucket
  for (int i = 0; i < 12; ++i) {
    if (!random.samples(0.4)) continue;  // some take gigabytes of scratch
    const bool isLargest = i % 2 != 0;   // whose bits of visibility would take tens of megabytes
    PlanSpec plan = makeRandomPlan(isLargest ? kMost : kMany, random, !isLargest);
    // Outputs of streams take at most 32 MiB, as those of random plans do.
    const std::uint32_t lists = plan.isPacked() ? 1 : plan.bucketCount();
    const std::uint32_t most =
        plan.streams.empty() ? kCapacity : (32u << 20) / SLU_MAX_RECORD_STRIDE / (lists * plan.info.maxViewCount);
    if (plan.isMerged()) {
      plan.info.capacity = 1 + random.below(std::min(most, kCapacity));
    } else if (plan.isPacked()) {
      packBuckets(plan, random.between(1, std::min(most, kCapacity)));
    } else {
      if (plan.buckets.empty()) plan.buckets.assign(1, {});
      for (SluBucket& bucket : plan.buckets) bucket.capacity = random.below(std::min(most, kCapacity) + 1);
    }
    if (plan.info.recordStride > 16 || i % 2 != 0) plan.info.flags &= ~SluFlags{SLU_PLAN_IN_PLACE_BIT};
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (int frame = 0; frame < 4; ++frame) {
      const Pattern pattern = kPatterns[random.below(std::size(kPatterns))];
      builder.addFrame(builder.makeFrame(index, makeInput(plan, random.below(5000), pattern, random),
                                         random.between(1, plan.info.maxViewCount)));
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; plan " << i << ": " << describe(plan);
  }
}

}  // namespace
}  // namespace slu::test
