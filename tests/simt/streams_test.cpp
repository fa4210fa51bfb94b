// Further streams by the CUDA kernels: sizes around what a block copies at a time, and memory that holds anything.
#include <gtest/gtest.h>

#include <cstring>

#include "inputs.h"
#include "plans.h"
#include "scene_builder.h"
#include "simt_machine.h"
#include "trial.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kChunk = SLU_GATHER_PLACES;

class SimtStreams : public testing::Test {
 protected:
  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
};

// Blocks that copy one chunk, several, and none.
TEST_F(SimtStreams, ChunksOfOneBucket) {
  const auto machine = makeSimtMachine({.residentBlocks = 1});
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 8, 20 * kChunk);
  plan.info.outputs = 0;
  addStream(plan, 4);
  addStream(plan, 12, 16, 20);
  SceneBuilder builder(random);
  const std::uint32_t index = builder.addPlan(plan);
  for (const std::uint32_t count : {1u, kChunk - 1, kChunk, kChunk + 1, 9 * kChunk + 5}) {
    builder.addFrame(builder.makeFrame(index, makeInput(plan, count, Pattern::all, random)));
  }
  builder.addFrame(builder.makeFrame(index, makeInput(plan, 20 * kChunk, Pattern::half, random)));
  EXPECT_TRUE(agrees(*machine, builder.finish()));
}

// Buckets of several chunks, and more buckets than a block has threads, of which most are empty.
TEST_F(SimtStreams, ChunksOfManyBuckets) {
  const auto machine = makeSimtMachine({.residentBlocks = 2});
  for (const std::uint32_t keyCount : {3u, 256u, 600u}) {
    PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 8, 6 * kChunk);
    plan.info.outputs = SLU_OUTPUT_INDICES_BIT;
    addBuckets(plan, keyCount, 1, keyCount < 10 ? 2 * kChunk : 12, 4);
    plan.info.key.bits = keyCount < 10 ? 2 : 10;
    plan.buckets.front().capacity = 0;
    addStream(plan, 16, 20, 16);
    const Input input = makeInput(plan, 6 * kChunk, Pattern::all, random);
    EXPECT_TRUE(agrees(*machine, makeScene(plan, input, 1, random))) << keyCount;
  }
}

// Before the elements are copied, half of the indices name no record, and each bucket claims to keep more than it has room
// for.
TEST_F(SimtStreams, JudgeIndicesAndCounts) {
  constexpr std::uint32_t kCount = 3000, kCapacity = 1500;
  SimtOptions options;
  options.launch = [&](const CudaLaunch& launch, const cuda::Arguments& arguments) {
    if (launch.kernel == CudaKernel::gatherStreams) {
      auto* indices = reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(arguments.frame.indices));
      for (std::uint32_t i = 0; i < kCapacity; i += 2) indices[i] = i % 4 == 0 ? kCount : 0xffffffff;
      auto* counts = reinterpret_cast<std::uint32_t*>(static_cast<std::uintptr_t>(arguments.frame.bucketCounts));
      counts[1] = 0xffffffff;
    }
    launchOnCpu(launch, arguments);
  };
  const auto machine = makeSimtMachine(options);
  PlanSpec plan = simplePlan(SLU_ORDER_STABLE, 8, kCount);
  plan.info.outputs = 0;
  plan.buckets.assign(1, SluBucket{kCapacity, {}});
  addStream(plan, 16);
  const Scene scene = makeScene(plan, makeInput(plan, kCount, Pattern::all, random), 1, random);
  std::vector<Bytes> memories = scene.memories;
  machine->record(scene)->execute(memories, 1);
  const auto [input, output] = scene.frames[0].streams[0];
  std::vector<Bytes> expected = scene.memories;
  for (std::uint32_t i = 1; i < kCapacity; i += 2) {
    std::memcpy(&expected[output.memory][output.offset + i * 16u], &expected[input.memory][input.offset + i * 16u], 16);
  }
  EXPECT_TRUE(memories == expected);
}

}  // namespace
}  // namespace slu::test
