// Further streams, which are moved by the permutation of the records.
#include <array>
#include <cstring>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kMostRecords = 3000;

// Keeps records whose first word is not zero, and writes `outputs`.
PlanSpec makePlan(SluOrder order, SluFlags outputs) {
  PlanSpec plan = simplePlan(order, 8, kMostRecords);
  plan.info.outputs = outputs;
  return plan;
}

// Several buckets and views, of which some buckets overflow and one keeps nothing.
void addOverflow(PlanSpec& plan, std::uint32_t keyCount) {
  plan.info.maxViewCount = 3;
  addBuckets(plan, keyCount, 1, kMostRecords / 2 / keyCount, 4);
  plan.info.key.bits = 7;
  plan.buckets[keyCount / 2].capacity = 0;
  plan.buckets.back().capacity = kMostRecords;
}

SluStatistics statisticsOf(const FrameSpec& frame, const std::vector<Bytes>& memories) {
  SluStatistics statistics;
  std::memcpy(&statistics, &memories[frame.statistics.memory][frame.statistics.offset], sizeof(statistics));
  return statistics;
}

// One stream of each size, in any alignment, with and without gaps. All plans of a size are one scene.
TEST_P(Contract, StreamsOfEachSize) {
  for (const std::uint32_t size : {4u, 12u, 16u, 20u, 64u, 256u}) {
    SceneBuilder builder(random);
    for (const std::uint32_t gap : {0u, 4u, 16u}) {
      PlanSpec plan = makePlan(nextOrder(), SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT);
      addStream(plan, size, gap == 0 ? 0 : size + gap, gap == 4 ? size + 12 : 0);
      const std::uint32_t index = builder.addPlan(plan);
      for (const std::uint32_t alignment : {0u, 4u, 8u, 60u}) {
        const Input input = makeInput(plan, random.between(1, kMostRecords), Pattern::half, random);
        FrameSpec frame;
        frame.plan = index;
        frame.recordCount = input.count;
        frame.records = builder.addInput(input.records);
        const std::uint64_t outputBytes = streamOutputBytes(plan, plan.streams[0], 1);
        frame.streams = {{builder.addInput(input.streams[0], alignment), builder.addOutput(outputBytes, alignment)}};
        builder.addOutputs(frame);
        builder.addFrame(frame);
      }
    }
    ASSERT_TRUE(agrees(machine(), builder.finish())) << "; " << size << " bytes";
  }
}

// Streams alone, and beside each output that changes how records are kept.
TEST_P(Contract, StreamsBesideEachOutput) {
  for (const SluFlags outputs :
       {SluFlags{0}, SluFlags{SLU_OUTPUT_INDICES_BIT}, SluFlags{SLU_OUTPUT_RECORDS_BIT},
        SluFlags{SLU_OUTPUT_BUCKET_COUNTS_BIT}, SluFlags{SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_RECORDS_BIT},
        SluFlags{SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT}}) {
    PlanSpec plan = makePlan(nextOrder(), outputs);
    addStream(plan, 12, 16, 20);
    addStream(plan, 16);
    if (random.chance(0.5)) addOverflow(plan, 5);
    ASSERT_TRUE(agreesOn(plan, kMostRecords, Pattern::half, plan.info.maxViewCount));
  }
}

// As many streams as a plan may have, into more buckets than a workgroup has invocations.
TEST_P(Contract, MostStreams) {
  for (const std::uint32_t keyCount : {3u, 300u}) {
    PlanSpec plan = makePlan(nextOrder(), SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT);
    for (std::uint32_t i = 0; i < SLU_MAX_STREAMS; ++i) {
      const std::uint32_t size = std::array{4u, 12u, 16u, 64u}[i % 4];
      addStream(plan, size, size + 4 * (i % 3), size + 4 * (i % 2));
    }
    addOverflow(plan, keyCount);
    if (keyCount > 128) plan.info.key.bits = 9;
    ASSERT_TRUE(agreesOn(plan, kMostRecords, Pattern::clustered, 3));
  }
}

// Nothing is copied where nothing is kept, or there are no records. What has no bytes need not be bound.
TEST_P(Contract, StreamsOfNothing) {
  for (const bool binds : {true, false}) {
    PlanSpec plan = makePlan(nextOrder(), SLU_OUTPUT_STATISTICS_BIT);
    addStream(plan, 16);
    ASSERT_TRUE(agreesOn(plan, kMostRecords, Pattern::none));
    ASSERT_TRUE(agreesOn(plan, 1, Pattern::all));
    SceneBuilder builder(random);
    FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, 0, Pattern::all, random));
    if (!binds) frame.streams[0].input = {};
    builder.addFrame(frame);
    plan.buckets.assign(1, SluBucket{0, {}});
    FrameSpec full = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kMostRecords, Pattern::all, random));
    if (!binds) full.streams[0].output = {};
    builder.addFrame(full);
    ASSERT_TRUE(agrees(machine(), builder.finish()));
  }
}

// The number of records is in a buffer, above and below what the frame says.
TEST_P(Contract, StreamsByALiveCount) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = makePlan(order, SLU_OUTPUT_INDICES_BIT);
    addStream(plan, 12, 16, 12);
    addStream(plan, 64);
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t live : {0u, 1u, kMostRecords / 3, kMostRecords, kMostRecords + 1, 0xffffffffu}) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, kMostRecords, Pattern::half, random));
      frame.liveCount = builder.addWord(live);
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(machine(), builder.finish()));
  }
}

// Records are compacted in place; their streams go elsewhere.
TEST_P(Contract, StreamsOfRecordsInPlace) {
  PlanSpec plan = makePlan(nextOrder(), SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT);
  plan.info.flags = SLU_PLAN_IN_PLACE_BIT;
  addStream(plan, 16, 20, 0);
  SceneBuilder builder(random);
  FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kMostRecords, Pattern::half, random));
  frame.keptRecords = builder.addInput(Bytes(std::size_t{kMostRecords} * plan.info.recordStride));
  frame.records = frame.keptRecords;
  builder.addFrame(frame);
  ASSERT_TRUE(agrees(machine(), builder.finish()));
}

// What one plan has kept of a stream is the next one's stream, in which each element still is that of its record: both hold
// the record's number.
TEST_P(Contract, StreamsOfStreams) {
  for (const SluOrder order : kOrders) {
    PlanSpec plans[2];
    SceneBuilder builder(random);
    std::vector<std::uint32_t> numbers(std::size_t{kMostRecords} * 2);
    for (std::uint32_t i = 0; i < kMostRecords; ++i) numbers[i * 2] = numbers[i * 2 + 1] = i + 1;
    Bytes records(numbers.size() * 4);
    std::memcpy(records.data(), numbers.data(), records.size());
    FrameSpec frames[2];
    for (std::uint32_t i = 0; i < 2; ++i) {
      plans[i] = makePlan(order, SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT);
      plans[i].info.live = {SLU_LIVE_MASK_EQUAL, 4, 0};
      plans[i].info.liveMask = plans[i].info.liveValue = 1u + i;
      addStream(plans[i], 4, 8, 8);
      FrameSpec& frame = frames[i];
      frame.plan = builder.addPlan(plans[i]);
      frame.recordCount = kMostRecords;
      frame.records = i == 0 ? builder.addInput(records) : frames[0].keptRecords;
      frame.streams = {{i == 0 ? builder.addInput(records) : frames[0].streams[0].output, {}}};
      if (i == 1) {
        const Place& counts = frames[0].statistics;
        frame.liveCount = {counts.memory, counts.offset + offsetof(SluStatistics, keptCount)};
      }
      builder.addOutputs(frame);
      builder.addFrame(frame);
    }
    const Scene scene = builder.finish();
    std::vector<Bytes> memories = scene.memories;
    machine().record(scene)->execute(memories, 1);
    const std::uint32_t kept = statisticsOf(frames[1], memories).keptCount;
    ASSERT_EQ(kept, kMostRecords / 4);
    for (std::uint32_t i = 0; i < kept; ++i) {
      const auto wordOf = [&](const Place& place) {
        std::uint32_t word;
        std::memcpy(&word, &memories[place.memory][place.offset + std::size_t{8} * i], sizeof(word));
        return word;
      };
      ASSERT_EQ(wordOf(frames[1].streams[0].output), wordOf(frames[1].keptRecords)) << "element " << i;
    }
  }
}

// Buckets that share a capacity, one behind the other or in one list, and draws in groups. The last records are cut.
TEST_P(Contract, StreamsInEveryPlacement) {
  for (const SluOrder order : kOrders) {
    for (const bool hasIndices : {false, true}) {
      PlanSpec plan =
          makePlan(order, SLU_OUTPUT_STATISTICS_BIT | (hasIndices ? SluFlags{SLU_OUTPUT_INDICES_BIT} : SluFlags{0}));
      plan.info.maxViewCount = 2;
      addBuckets(plan, 6, 1, 100, 4);
      plan.info.key.bits = 3;
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 20, 0, random);
      addStream(plan, 12, 16);
      addStream(plan, 4);
      PlanSpec grouped = plan, packed = plan, merged = plan;
      addGroups(grouped, 3, 0, random);
      packBuckets(packed, 700);
      mergePlan(merged, 700, 5);
      for (const PlanSpec& each : {grouped, packed, merged}) {
        ASSERT_TRUE(agreesOn(each, kMostRecords, Pattern::half, 2));
      }
    }
  }
}

// A plan that culls, of several views that see the same streams.
TEST_P(Contract, StreamsOfSeveralViews) {
  for (const SluOrder order : kOrders) {
    PlanSpec plan = simplePlan(order, 32, kMostRecords);
    plan.info.live = {};
    plan.info.maxViewCount = 4;
    plan.info.outputs = SLU_OUTPUT_DRAW_COUNTS_BIT;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT | SLU_CULL_DISTANCE_BIT, SLU_BOUNDS_IN_RECORD, 16);
    addBuckets(plan, 4, 1, kMostRecords / 3, 4);
    plan.info.key.bits = 2;
    addDraws(plan, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
    addStream(plan, 12);
    addStream(plan, 48, 64, 64);
    ASSERT_TRUE(agreesOn(plan, kMostRecords, Pattern::all, random.between(2, 4)));
  }
}

}  // namespace
}  // namespace slu::test
