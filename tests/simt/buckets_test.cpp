// Where the records of buckets are counted, and what the last tile sees of that.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "inputs.h"
#include "plans.h"
#include "scene_builder.h"
#include "simt_machine.h"
#include "trial.h"
//
#include "simt/cuda_on_cpu.h"
//
#include "kernels/device/entries/bucketed.cuh"

namespace slu::cuda {
namespace {

using LookTile = device::Tile<256, 1>;

// The second block counts once the first has looked for the first time.
__global__ void lookBeforeAllIsCounted(const Arguments arguments, uint demanded, uint* looked, uint* shown) {
  SLU_SHARED_ARRAY(uint, sums, LookTile::kWarps);
  SLU_SHARED_ARRAY(uint, totals, kMaxBuckets);
  const FrameBlock& frame = arguments.frame;
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) {
      while (loadRelaxed(looked) == 0) __nanosleep(20);
    }
    __syncthreads();
    for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += LookTile::kThreads) {
      atomicAdd(demandedCounter(frame, 0, bucket), bucket + 1);
    }
    return;
  }
  const uint firstLook = lookAtDemand(frame, 0, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) storeRelaxed(looked, 1);
  awaitDemand<LookTile>(frame, 0, demanded, firstLook, &sums[0], &totals[0]);
  for (uint bucket = threadIdx.x; bucket < frame.bucketCount; bucket += LookTile::kThreads)
    shown[bucket] = totals[bucket];
}

TEST(SimtBuckets, TheLastTileLooksUntilAllIsCounted) {
  for (const uint bucketCount : {2u, 256u, 1025u}) {
    std::vector<uint> counters(kDemandedLineWords * bucketCount), shown(bucketCount);
    Arguments arguments{};
    arguments.frame.bucketCount = bucketCount;
    arguments.frame.demanded = reinterpret_cast<std::uintptr_t>(counters.data());
    uint looked = 0;
    ASSERT_TRUE(simt::launch({.grid = 2, .block = LookTile::kThreads, .workers = 2}, lookBeforeAllIsCounted, arguments,
                             bucketCount * (bucketCount + 1) / 2, &looked, shown.data()));
    for (uint bucket = 0; bucket < bucketCount; ++bucket) ASSERT_EQ(shown[bucket], bucket + 1);
  }
}

}  // namespace
}  // namespace slu::cuda

namespace slu::test {
namespace {

// A first launch of which no tile is the last shows what arrived; a second one leaves all of it zero.
TEST(SimtBuckets, TilesArriveWithWhatTheyCount) {
  const testing::ScopedTrace seed(__FILE__, __LINE__, describeSeed());
  Random random;
  for (const std::uint32_t bucketCount : {5u, 300u, 1024u, 1025u}) {
    const auto machine =
        makeSimtMachine({.residentBlocks = 1,
                         .viewsFrom = ~std::uint64_t{0},
                         .launch = [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
                           ASSERT_EQ(launch.kernel, CudaKernel::compactFewCulledBuckets);
                           const FrameBlock& frame = arguments.frame;
                           auto* progress =
                               reinterpret_cast<cuda::ViewProgress*>(static_cast<std::uintptr_t>(frame.progress));
                           std::set<unsigned*> counters;
                           for (std::uint32_t view = 0; view < 3; ++view) {
                             for (std::uint32_t i = 0; i < bucketCount; ++i)
                               counters.insert(cuda::demandedCounter(frame, view, i));
                           }
                           ASSERT_EQ(counters.size(), 3 * bucketCount);
                           ASSERT_LE(reinterpret_cast<std::uintptr_t>(*counters.rbegin() + 1), frame.tileStatus);
                           for (std::uint32_t view = 0; view < launch.y; ++view) progress[view].word = 1ull << 63;
                           launchOnCpu(launch, arguments);
                           for (std::uint32_t view = 0; view < launch.y; ++view) {
                             std::uint64_t counted = 0;
                             for (std::uint32_t i = 0; i < bucketCount; ++i) {
                               counted += std::exchange(*cuda::demandedCounter(frame, view, i), 0u);
                             }
                             EXPECT_EQ(progress[view].word & ((1ull << cuda::kKeptBits) - 1), counted);
                             progress[view].word = 0;
                           }
                           launchOnCpu(launch, arguments);
                           for (const unsigned* counter : counters) EXPECT_EQ(*counter, 0u);
                           for (std::uint32_t view = 0; view < launch.y; ++view) EXPECT_EQ(progress[view].word, 0u);
                         }});
    PlanSpec plan = simplePlan(SLU_ORDER_UNORDERED, 8, 20'000);
    plan.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
    plan.info.live = {};
    plan.info.maxViewCount = 3;
    addCulling(plan, SLU_CULL_FRUSTUM_BIT, SLU_BOUNDS_PER_RECORD, 0);
    addBuckets(plan, bucketCount, 1, 9000 / bucketCount, 4);
    const auto tile = static_cast<std::uint32_t>(machine->tileRecords(plan));
    SceneBuilder builder(random);
    const std::uint32_t index = builder.addPlan(plan);
    for (const std::uint32_t count : {9 * tile + 5, tile, 0u}) {
      FrameSpec frame = builder.makeFrame(index, makeInput(plan, count, Pattern::half, random), 3);
      frame.liveCount = builder.addWord(count);  // so that blocks take several tiles
      builder.addFrame(frame);
    }
    ASSERT_TRUE(agrees(*machine, builder.finish())) << bucketCount;
  }
}

// The host writes its records while the frame executes: once they are counted, all of them name the first bucket. It has
// no more room than was counted for it, so the other buckets keep their outputs.
TEST(SimtBuckets, PackedBucketsTakeNoMoreThanWasCounted) {
  constexpr std::uint32_t kBuckets = 5, kPerBucket = 900, kCount = kBuckets * kPerBucket;
  const testing::ScopedTrace seed(__FILE__, __LINE__, describeSeed());
  Random random;
  std::uint32_t changes = 0;
  const auto change = [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
    if (launch.kernel == CudaKernel::scatterBuckets) {
      auto* words = reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(arguments.frame.records));
      for (std::uint32_t i = 0; i < kCount; ++i) words[2 * i + 1] = 0;
      ++changes;
    }
    launchOnCpu(launch, arguments);
  };
  const auto machine = makeSimtMachine({.mostDecisionBytes = 0, .launch = change});
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 8, kCount);
  plan.info.live = {};
  plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
  addBuckets(plan, kBuckets, 1, 0, 4);
  packBuckets(plan, kCount);
  Input input;
  input.count = kCount;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const std::uint32_t record[2] = {i, i % kBuckets};
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(record);
    input.records.insert(input.records.end(), bytes, bytes + sizeof(record));
  }
  SceneBuilder builder(random);
  const FrameSpec frame = builder.makeFrame(builder.addPlan(plan), input);
  builder.addFrame(frame);
  const Scene scene = builder.finish();
  std::vector<Bytes> memories = scene.memories;
  machine->record(scene)->execute(memories, 1);
  EXPECT_EQ(changes, 1u);
  Bytes& outputs = memories[frame.indices.memory];
  const Bytes& before = scene.memories[frame.indices.memory];
  const auto first = static_cast<std::ptrdiff_t>(frame.indices.offset);
  EXPECT_FALSE(std::equal(outputs.begin() + first, outputs.begin() + first + 4 * kPerBucket, before.begin() + first));
  std::copy_n(before.begin() + first, 4 * kPerBucket, outputs.begin() + first);
  EXPECT_EQ(outputs, before) << "an output of another bucket was written";
}

// The host raises its live count once the records are counted. Nothing was decided of those behind.
TEST(SimtBuckets, RecordsOfWhichNothingWasDecidedAreDropped) {
  constexpr std::uint32_t kBuckets = 5, kCount = 5000, kLive = 2100, kCapacity = 2000;
  const testing::ScopedTrace seed(__FILE__, __LINE__, describeSeed());
  Random random;
  std::uint32_t changes = 0;
  const auto raise = [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
    if (launch.kernel == CudaKernel::scatterDecided) {
      *reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(arguments.frame.liveCount)) = kCount;
      ++changes;
    }
    launchOnCpu(launch, arguments);
  };
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 8, kCount);
  plan.info.live = {};
  plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
  addBuckets(plan, kBuckets, 1, kCapacity, 4);
  SceneBuilder builder(random);
  FrameSpec frame = builder.makeFrame(builder.addPlan(plan), makeInput(plan, kCount, Pattern::all, random));
  frame.liveCount = builder.addWord(kLive);
  builder.addFrame(frame);
  const Scene scene = builder.finish();
  std::vector<Bytes> raised = scene.memories, expected = scene.memories;
  makeSimtMachine({.mostDecisionBytes = LaunchLimits{}.mostDecisionBytes, .launch = raise})
      ->record(scene)
      ->execute(raised, 1);
  EXPECT_EQ(changes, 1u);
  makeCpuMachine()->record(scene)->execute(expected, 1);
  EXPECT_EQ(raised[frame.indices.memory], expected[frame.indices.memory]);
}

}  // namespace
}  // namespace slu::test
