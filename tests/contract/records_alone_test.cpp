// Records that decide for themselves, written as records alone: the shapes for which routes have kernels of their own.
#include "contract.h"

namespace slu::test {
namespace {

constexpr SluFlags kRecordsAlone = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_STATISTICS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;

// Of long records the plan is for many, which may have a kernel of their own.
PlanSpec recordsAlone(SluOrder order, std::uint32_t stride, std::uint32_t maxRecordCount) {
  PlanSpec plan = simplePlan(order, stride, stride > 64 ? std::max(maxRecordCount, 300'000u) : maxRecordCount);
  plan.buckets.assign(1, SluBucket{maxRecordCount, {}});
  plan.info.outputs = kRecordsAlone;
  return plan;
}

// The test of one word, of several, and of all; the first and the last word.
TEST_P(Contract, RecordsAloneOfEveryWidthAndTest) {
  for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 20u, 32u, 36u, 48u, 64u, 96u, 128u}) {
    for (const SluLive& live :
         {SluLive{SLU_LIVE_NON_EMPTY, 0, 4}, SluLive{SLU_LIVE_NON_EMPTY, stride - 4, 4},
          SluLive{SLU_LIVE_NON_EMPTY, 0, stride}, SluLive{SLU_LIVE_NON_EMPTY, stride / 8 * 4, stride / 8 * 4 + 4},
          SluLive{SLU_LIVE_POSITIVE_INT, stride - 4, 0}, SluLive{SLU_LIVE_POSITIVE_FLOAT, stride / 8 * 4, 0}}) {
      if (live.offset + live.size > stride || !takes(0.35)) continue;
      PlanSpec plan = recordsAlone(nextOrder(), stride, 3000);
      plan.info.live = live;
      ASSERT_TRUE(agreesOn(plan, random.between(2000, 3000), Pattern::half)) << describe(plan);
    }
  }
}

TEST_P(Contract, RecordsAloneAroundTiles) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 20u, 32u, 48u, 64u, 96u, 128u}) {
      // Plans of few records may take other tiles than those of many.
      for (const std::uint32_t maxCount : {60'000u, 1'000'000u, 4'000'000u}) {
        if ((maxCount > 60'000 && stride > 8) || !takes(0.5)) continue;
        PlanSpec plan = recordsAlone(order, stride, maxCount);
        plan.buckets.assign(1, SluBucket{100'000, {}});
        const std::uint32_t tile = tileOf(plan);
        for (const std::uint32_t count : {0u, 1u, tile - 1, tile, tile + 1, 11 * tile + 3}) {
          ASSERT_TRUE(agreesOn(plan, count, Pattern::half)) << stride << " bytes, " << count;
        }
        ASSERT_TRUE(agreesOn(plan, 3 * tile, Pattern::none)) << stride;
        ASSERT_TRUE(agreesOn(plan, 3 * tile, Pattern::all)) << stride;
      }
    }
  }
}

// A route may learn from the last frame which way is the faster one for the next, view by view.
TEST_P(Contract, RecordsAloneThatChangeFromFrameToFrame) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 12u, 96u, 128u}) {
      PlanSpec plan = recordsAlone(order, stride, 6000);
      plan.info.maxViewCount = 2;
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const Pattern pattern :
           {Pattern::all, Pattern::all, Pattern::none, Pattern::half, Pattern::all, Pattern::half}) {
        const std::uint32_t count =
            random.pick({random.between(1, 500), random.between(1000, 1050), random.between(5000, 6000)});
        builder.addFrame(builder.makeFrame(index, makeInput(plan, count, pattern, random), random.between(1, 2)));
      }
      ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
    }
  }
}

// More than fit: what is written ends at the capacity, what is counted does not.
TEST_P(Contract, RecordsAloneBeyondCapacity) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 32u, 48u, 64u, 128u}) {
      for (const std::uint32_t capacity : {0u, 1u, 777u}) {
        PlanSpec plan = recordsAlone(order, stride, 5000);
        plan.buckets.assign(1, SluBucket{capacity, {}});
        ASSERT_TRUE(agreesOn(plan, 5000, Pattern::half)) << stride << " bytes, " << capacity;
        if (stride != 4) continue;
        for (const std::uint32_t many : {1'000'000u, 4'000'000u}) {  // other kernels, with larger tiles
          plan.info.maxRecordCount = many;
          ASSERT_TRUE(agreesOn(plan, 10'000, Pattern::half)) << "of many, " << capacity;
          ASSERT_TRUE(agreesOn(plan, 10'000, Pattern::all)) << "all of many, " << capacity;
        }
      }
    }
  }
}

// What takes no bytes is not bound: no records, and none that have a place.
TEST_P(Contract, RecordsAloneUnbound) {
  for (const SluOrder order : kOrders) {
    for (const std::uint32_t stride : {4u, 8u, 12u, 16u, 64u, 128u}) {
      PlanSpec plan = recordsAlone(order, stride, 10'000);
      plan.info.maxViewCount = 2;
      plan.buckets.assign(1, SluBucket{0, {}});
      SceneBuilder builder(random);
      const std::uint32_t index = builder.addPlan(plan);
      for (const std::uint32_t count : {0u, 100u, 10'000u}) {
        FrameSpec frame = builder.makeFrame(index, makeInput(plan, count, Pattern::half, random), 2);
        if (count == 0) frame.records = {};
        frame.keptRecords = {};
        builder.addFrame(frame);
      }
      ASSERT_TRUE(agrees(machine(), builder.finish())) << describe(plan);
    }
  }
}

TEST_P(Contract, RecordsAloneInBuckets) {
  for (const std::uint32_t stride : {16u, 64u}) {
    for (const std::uint32_t bucketCount : {2u, 60u, 1024u, 4096u}) {
      for (const std::uint32_t keyOffset : {0u, 4u, 12u}) {
        if (!takes(0.4)) continue;
        PlanSpec plan = recordsAlone(nextOrder(), stride, 9000);
        plan.info.live = {SLU_LIVE_NON_EMPTY, 4, 8};
        addBuckets(plan, bucketCount, 1, 12'000 / bucketCount, keyOffset);
        plan.info.key.shift = random.between(0, 7);
        plan.info.key.bits = random.pick({0u, 12u});
        addDraws(plan, SLU_DRAW_INSTANCES, 16, 0, random);
        ASSERT_TRUE(agreesOn(plan, random.between(8000, 9000), Pattern::half)) << describe(plan);
      }
    }
  }
}

// Plans of many records may sort them by bucket first: buckets that overflow and buckets that do not, keys out of
// range, and views that are the same work over again.
TEST_P(Contract, ManyRecordsAloneInBuckets) {
  for (const std::uint32_t stride : {16u, 32u, 48u, 64u}) {
    for (const std::uint32_t bucketCount : {2u, 60u, 1024u, 4096u}) {
      if (!takes(0.4)) continue;
      PlanSpec plan = recordsAlone(SLU_ORDER_UNORDERED, stride, 300'000);
      plan.info.maxViewCount = 2;
      plan.info.live = {SLU_LIVE_NON_EMPTY, 0, stride - 4};
      addBuckets(plan, bucketCount, 1, 12'000 / bucketCount, stride - 4);
      for (SluBucket& bucket : plan.buckets) bucket.capacity = random.between(0, 20'000 / bucketCount);
      plan.info.key.bits = random.pick({0u, 13u});
      addDraws(plan, SLU_DRAW_INSTANCES, 16, SLU_DRAWS_SKIP_EMPTY_BIT, random);
      ASSERT_TRUE(agreesOn(plan, random.between(10'000, 20'000), Pattern::half, 2)) << describe(plan);
    }
  }
}

}  // namespace
}  // namespace slu::test
