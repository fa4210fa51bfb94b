// Records alone into several buckets, of plans for so many that routes sort them by bucket before they leave.
#include <cstring>
#include <span>

#include "contract.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kQuadStrides[] = {16, 32, 48, 64};
constexpr std::uint32_t kMany = 300'000;

// By a key that some of the records have out of range. Where pipelines are compiled, plans for 5 to 8 buckets share one.
PlanSpec sortedPlan(SluOrder order, std::uint32_t stride, std::uint32_t bucketCount, std::uint32_t capacity) {
  PlanSpec plan = simplePlan(order, stride, kMany);
  plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
  plan.info.live = {SLU_LIVE_NON_EMPTY, 0, stride - 8};
  addBuckets(plan, bucketCount, 1, capacity, stride - 8);
  return plan;
}

// In which a kernel of the machine's route may sort: none of `vulkan` does in stable order.
std::span<const SluOrder> sortingOrders(const Machine& machine) {
  static_assert(kOrders[0] == SLU_ORDER_UNORDERED);
  return std::span(kOrders).first(machine.route() == SLU_ROUTE_VULKAN ? 1 : 2);
}

// Gives record i the key keyOf(i).
template <typename KeyOf>
void setKeys(const PlanSpec& plan, Input& input, const KeyOf& keyOf) {
  for (std::uint32_t i = 0; i < input.count; ++i) {
    const std::uint32_t key = keyOf(i);
    std::memcpy(&input.records[std::size_t{i} * plan.info.recordStride + plan.info.key.offset], &key, sizeof(key));
  }
}

TEST_P(Contract, SortedAroundTiles) {
  for (const SluOrder order : sortingOrders(machine())) {
    for (const std::uint32_t stride : kQuadStrides) {
      const PlanSpec plan = sortedPlan(order, stride, 5, 8000);
      const std::uint32_t tile = tileOf(plan);
      for (const std::uint32_t count : {0u, 1u, tile - 1, tile, tile + 1, 3 * tile + 7}) {
        ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << stride << " bytes, " << count;
      }
      ASSERT_TRUE(agreesOn(plan, 2 * tile, Pattern::none)) << stride;
      ASSERT_TRUE(agreesOn(plan, 2 * tile, Pattern::all)) << stride;
    }
  }
}

// More than a workgroup has invocations, as many as the Vulkan route counts in shared memory, and one more.
TEST_P(Contract, SortedIntoEveryNumberOfBuckets) {
  for (const SluOrder order : sortingOrders(machine())) {
    for (const std::uint32_t bucketCount : {3u, 257u, 1024u, 1025u}) {
      PlanSpec plan = sortedPlan(order, 16, bucketCount, 9000 / bucketCount + 5);
      addDraws(plan, SLU_DRAW_INDEXED_INSTANCES, 24, SLU_DRAWS_SKIP_EMPTY_BIT, random);
      const std::uint32_t tile = tileOf(plan);
      Input input = makeInput(plan, 2 * tile + 99, Pattern::half, random);
      setKeys(plan, input, [&](std::uint32_t) { return random.below(bucketCount + bucketCount / 8 + 1); });
      ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 1, random))) << bucketCount;
      setKeys(plan, input, [&](std::uint32_t) { return bucketCount - 1; });
      ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 1, random))) << bucketCount << ", all in the last";
    }
  }
}

// Around the numbers of records from which on routes sort.
TEST_P(Contract, SortedFromSoManyRecordsOn) {
  for (const SluOrder order : sortingOrders(machine())) {
    for (const std::uint32_t stride : {16u, 64u}) {
      for (const std::uint32_t bits : {17u, 18u}) {
        for (const std::uint32_t offset : {0u, 1u, 2u}) {
          PlanSpec plan = sortedPlan(order, stride, 5, 1000);
          plan.info.maxRecordCount = (1u << bits) + offset - 1;
          ASSERT_TRUE(agreesOn(plan, 2 * tileOf(plan) + 3, Pattern::half)) << describe(plan);
        }
      }
    }
  }
}

// What is written ends at the capacity, what is counted does not.
TEST_P(Contract, SortedWithinCapacities) {
  for (const SluOrder order : sortingOrders(machine())) {
    for (const std::uint32_t stride : kQuadStrides) {
      PlanSpec plan = sortedPlan(order, stride, 5, 1);
      const std::uint32_t tile = tileOf(plan);
      Input input = makeInput(plan, 4 * tile, Pattern::all, random);
      setKeys(plan, input, [](std::uint32_t i) { return i % 2; });
      for (const std::uint32_t capacity : {0u, 1u, tile / 2 - 1, tile / 2, tile / 2 + 1, 2 * tile - 1, 2 * tile}) {
        plan.buckets[0].capacity = capacity;
        plan.buckets[1].capacity = 2 * tile - capacity;
        ASSERT_TRUE(agrees(machine(), makeScene(plan, input, 1, random))) << stride << " bytes, " << capacity;
      }
    }
  }
}

// A key in each word of the record, and a live test that reads it too, or words on both of its sides.
TEST_P(Contract, SortedByEveryWord) {
  for (const SluOrder order : sortingOrders(machine())) {
    for (const std::uint32_t stride : {16u, 48u}) {
      for (std::uint32_t offset = 0; offset < stride; offset += stride == 16 ? 4 : 12) {
        PlanSpec plan = sortedPlan(order, stride, 6, 4000);
        plan.info.live = {SLU_LIVE_NON_EMPTY, 0, stride};
        if (offset % 8 == 0) plan.info.live = {SLU_LIVE_POSITIVE_INT, stride - 4, 0};
        plan.info.key.offset = offset;
        plan.info.key.shift = random.between(0, 9);
        plan.info.key.bits = random.pick({0u, 3u});
        ASSERT_TRUE(agreesOn(plan, 2 * tileOf(plan), Pattern::half)) << describe(plan);
      }
    }
  }
}

TEST_P(Contract, SortedAtEveryAlignment) {
  for (const SluOrder order : sortingOrders(machine())) {
    for (const std::uint32_t stride : {16u, 48u}) {
      const PlanSpec plan = sortedPlan(order, stride, 7, 200);
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (std::uint32_t alignment = 0; alignment < 16; ++alignment) {
        FrameSpec frame = builder.makeFrame(index, {});
        const Input input = makeInput(plan, random.between(500, 1500), Pattern::half, random);
        frame.recordCount = input.count;
        frame.records = builder.addInput(input.records, alignment % 4 * 4);
        frame.keptRecords = builder.addOutput(std::uint64_t{plan.outputsPerView()} * stride, alignment / 4 * 4);
        builder.addFrame(frame);
      }
      ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
    }
  }
}

// Frames that follow each other, in several views, of counts that the GPU holds.
TEST_P(Contract, SortedFrameAfterFrame) {
  for (const SluOrder order : sortingOrders(machine())) {
    for (const std::uint32_t stride : {16u, 64u}) {
      PlanSpec plan = sortedPlan(order, stride, 700, 60);
      plan.info.maxViewCount = 3;
      const std::uint32_t tile = tileOf(plan);
      const std::uint32_t recordCount = 4 * tile;
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const std::uint32_t liveCount : {recordCount, 0u, 1u, tile, tile + 1, recordCount + 1}) {
        const Input input = makeInput(plan, recordCount, Pattern::half, random);
        FrameSpec frame = builder.makeFrame(index, input, random.between(1, 3));
        frame.liveCount = builder.addWord(liveCount);
        builder.addFrame(frame);
      }
      const Scene scene = builder.finish();
      std::vector<Bytes> memories = scene.memories;
      ASSERT_TRUE(Trial(machine(), scene).run(memories, 2)) << describe(plan);
    }
  }
}

TEST_P(Contract, SortedInPlace) {
  for (const SluOrder order : sortingOrders(machine())) {
    for (const std::uint32_t stride : kQuadStrides) {
      PlanSpec plan = sortedPlan(order, stride, 8, 300);
      plan.info.flags |= SLU_PLAN_IN_PLACE_BIT;
      ASSERT_TRUE(agreesOn(plan, 3 * tileOf(plan) + 5, Pattern::half)) << describe(plan);
    }
  }
}

// More tiles than large GPUs have blocks for at once, so that those before a tile are at every stage.
TEST_P(Contract, SortedInOrderOverManyTiles) {
  if (machine().route() == SLU_ROUTE_VULKAN) GTEST_SKIP() << "it sorts in no stable order";
  for (const std::uint32_t bucketCount : {64u, 700u}) {
    PlanSpec plan = sortedPlan(SLU_ORDER_STABLE, 16, bucketCount, 0);
    plan.info.maxRecordCount = 1u << 21;
    const Input input = makeInput(plan, 300 * tileOf(plan) + 7, Pattern::half, random);
    plan.buckets.assign(bucketCount, SluBucket{input.count / bucketCount / 2, {}});  // some of them overflow
    const Scene scene = makeScene(plan, input, 1, random);
    std::vector<Bytes> memories = scene.memories;
    ASSERT_TRUE(Trial(machine(), scene).run(memories, 2)) << describe(plan);
  }
}

// More tiles than the Vulkan route has workgroups for.
TEST_P(Contract, SortedTileAfterTile) {
  if (machine().route() != SLU_ROUTE_VULKAN) GTEST_SKIP() << "the other routes have a block per tile";
  constexpr std::uint32_t kWorkgroups = 4096;
  PlanSpec plan = sortedPlan(SLU_ORDER_UNORDERED, 16, 7, 200'000);
  plan.info.maxRecordCount = 1u << 24;
  const std::uint32_t tile = tileOf(plan);
  ASSERT_TRUE(agreesOn(plan, (kWorkgroups + 2) * tile + 1, Pattern::half));
}

}  // namespace
}  // namespace slu::test
