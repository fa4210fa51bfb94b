// What the inline route launches: the CUDA route's own schedule.
#include <algorithm>
#include <array>
#include <cfenv>

#include "../vulkan/fixture.h"
#include "api/objects.h"
#include "counting_allocator.h"
#include "fake_kernels.h"
#include "kernels/kernel_names.h"
#include "plan/rejects.h"
#include "plans.h"
#include "scene_builder.h"

namespace slu::test {
namespace {

class InlineLaunches : public VulkanTest {
 protected:
  // Records a frame of the plan and returns its launches. The buffers are not executed on.
  std::vector<FakeLaunch> launchesOf(FakeKernels& fake, SluContext context, const PlanSpec& spec, SluPlan plan) {
    SceneBuilder builder(random);
    const Input input = makeInput(spec, random.between(1, spec.info.maxRecordCount), Pattern::half, random);
    builder.addFrame(builder.makeFrame(builder.addPlan(spec), input));
    const Scene scene = builder.finish();
    std::vector<std::unique_ptr<VulkanBuffer>> memories;
    std::vector<Buffer> buffers(scene.memories.size());
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      memories.push_back(std::make_unique<VulkanBuffer>(device(), scene.memories[i].size(), allUsages(instance()),
                                                        VulkanBuffer::Kind::mapped));
      require(context, registerBuffer(context, *memories.back(), buffers[i].put()), "sluCreateBuffer");
    }
    const FrameArguments arguments(scene.frames[0], [&](std::uint32_t memory) { return buffers.at(memory).get(); });
    const VkCommandBuffer commands = device().beginCommands(0);
    require(context, sluCmdCompact(plan, commands, arguments.get()), "sluCmdCompact");
    const std::vector<FakeLaunch> launches = fake.launches(commands);
    fake.forget(commands);
    check(device().functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    device().freeCommands(commands);
    recordCount = arguments.get()->recordCount;
    viewCount = arguments.get()->viewCount;
    return launches;
  }

  Random random;
  std::uint32_t recordCount = 0;  // of the frame that launchesOf recorded
  std::uint32_t viewCount = 0;
};

// Modules, functions, and memory are created and destroyed with them; the fake complains of others.
TEST_F(InlineLaunches, TakeTheHostsAllocationCallbacks) {
  CountingAllocator allocator;
  FakeKernels fake(device(), {.userData = &allocator});
  {
    SluVulkanDeviceInfo info = fake.info();
    info.allocationCallbacks = &allocator.callbacks();
    const Context context = makeContext(info);
    EXPECT_GT(fake.aliveCount(), 0);
    const std::uint32_t before = allocator.allocationCount();
    Plan plan;
    const PlanSpec spec = simplePlan(SLU_ORDER_STABLE, 16, 1000);
    require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_INLINE).get(), plan.put()), "sluCreatePlan");
    EXPECT_GT(allocator.allocationCount(), before);
  }
  EXPECT_EQ(fake.aliveCount(), 0);
  EXPECT_EQ(fake.complaints(), std::vector<std::string>());
  EXPECT_EQ(allocator.aliveCount(), 0u);
  EXPECT_EQ(allocator.complaints(), std::vector<std::string>());
}

// The schedule of the same plan, for as many blocks as the driver's multiprocessors hold.
TEST_F(InlineLaunches, AreThoseOfTheSchedule) {
  FakeKernels fake(device(), {.multiprocessorCount = 1, .hasGraphics = false});
  const Context context = makeContext(fake.info());
  for (int i = 0; i < 50; ++i) {
    const PlanSpec spec = makeRandomPlan(5'000, random);
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_INLINE).get(), plan.put()), "sluCreatePlan");
    const std::vector<FakeLaunch> launches = launchesOf(fake, context, spec, plan);
    const PlanLayout& whole = SluPlan(plan)->layout;
    std::vector<PlanLayout> parts;
    if (hasRejects(whole)) parts.push_back(rejectsLayout(whole));
    if (keepsRecords(whole)) parts.push_back(keptLayout(whole));
    Frame frame;
    frame.recordCount = launches.at(0).arguments.frame.recordCount;
    frame.viewCount = viewCount;
    frame.occlusionPhase = launches[0].arguments.frame.occlusionPhase;
    const RouteBuffer bound;
    if (launches[0].arguments.frame.liveCount != 0) frame.liveCount.buffer = &bound;
    std::vector<CudaLaunch> expected;
    for (const PlanLayout& part : parts) {
      CudaSchedule schedule(part, SharedMemory::ample, {.sortedBytes = kPortableSharedBytes});
      schedule.place(0, 0, 0, std::min(rowOf(schedule.kernel()).blocks, 3u));
      const CudaLaunches ofPart = schedule.launches(frame);
      expected.insert(expected.end(), ofPart.items.begin(), ofPart.items.begin() + ofPart.count);
    }
    ASSERT_EQ(launches.size(), expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_EQ(launches[k].name, kernelName(expected[k].kernel));
      EXPECT_EQ(launches[k].x, expected[k].x);
      EXPECT_EQ(launches[k].y, expected[k].y);
      EXPECT_EQ(launches[k].arguments.frame.recordCount, recordCount);
    }
  }
  EXPECT_EQ(fake.complaints(), std::vector<std::string>());
}

// Where shared memory is scarce records leave from registers, but words of plans whose tiles are all resident at once.
TEST_F(InlineLaunches, OnAGraphicsQueueStageNoPayload) {
  for (const bool hasGraphics : {false, true}) {
    FakeKernels fake(device(), {.hasGraphics = hasGraphics});
    const Context context = makeContext(fake.info());
    PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 16, 10'000);
    spec.info.outputs = SLU_OUTPUT_RECORDS_BIT;
    Plan plan;
    require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_INLINE).get(), plan.put()), "sluCreatePlan");
    const CudaKernel expected = hasGraphics ? CudaKernel::compactDirect16 : CudaKernel::compactWide16;
    EXPECT_EQ(launchesOf(fake, context, spec, plan).at(0).name, kernelName(expected));

    using enum CudaKernel;
    for (const auto& [order, most, staged, direct] :
         {std::tuple(SLU_ORDER_UNORDERED, 1u << 20, compactMedium, compactMedium),
          {SLU_ORDER_UNORDERED, (1u << 20) + 1, compactMedium, compactDirect4},
          {SLU_ORDER_STABLE, 300'000u, compactNarrowStable, compactDirect4Stable}}) {
      PlanSpec words = simplePlan(order, 4, most);
      words.info.outputs = SLU_OUTPUT_RECORDS_BIT;
      Plan planOfWords;
      require(context, sluCreatePlan(context, PlanArguments(words, SLU_ROUTE_INLINE).get(), planOfWords.put()),
              "sluCreatePlan");
      EXPECT_EQ(launchesOf(fake, context, words, planOfWords).at(0).name, kernelName(hasGraphics ? direct : staged));
    }
  }
}

// One launch after the other, so that each that writes outputs is seen to be checked; of one queue, if not of both.
TEST_F(InlineLaunches, PassTheSelfTestOnceExecuted) {
  if (instance().properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) GTEST_SKIP() << "the CPU executes the launches";
  const bool chosen = random.chance(0.5);
  for (const bool hasGraphics : {false, true}) {
    if (hasGraphics != chosen && !takesAll()) continue;
    FakeKernels fake(device(), {.hasGraphics = hasGraphics});
    const Context context = makeContext(fake.info());
    const VkCommandBuffer commands = device().beginCommands(0);
    ASSERT_EQ(sluCmdSelfTest(context, SLU_ROUTE_INLINE, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    const std::vector<FakeLaunch> launches = fake.launches(commands);
    std::set<std::string> sentences;
    for (std::size_t step = 0; step < launches.size(); ++step) {
      EXPECT_TRUE(failsWith(sluGetSelfTestResult(context, SLU_ROUTE_INLINE), SLU_ERROR_DRIVER, context, ", must be "));
      sentences.insert(sluGetErrorMessage(context));
      fake.executeStep(commands, step);
    }
    const auto preparesAlone = [](const FakeLaunch& launch) {
      using enum CudaKernel;
      return std::ranges::any_of(
          std::array{countBuckets, countSceneBuckets, countMeshSpheres, scanBuckets, rankBuckets, rankSceneBuckets,
                     rankCandidateBuckets, rankCulledBuckets, rankFewCulledBuckets, rankMeshSpheres, sumSparse},
          [&](CudaKernel kernel) { return launch.name == kernelName(kernel); });
    };
    EXPECT_EQ(sentences.size() + static_cast<std::size_t>(std::ranges::count_if(launches, preparesAlone)),
              launches.size());
    EXPECT_EQ(sluGetSelfTestResult(context, SLU_ROUTE_INLINE), SLU_SUCCESS) << sluGetErrorMessage(context);
    EXPECT_EQ(fake.complaints(), std::vector<std::string>());
    fake.forget(commands);
    check(device().functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    device().freeCommands(commands);
  }
}

// Kernels that round as no route does, on the CPU that executes them.
TEST_F(InlineLaunches, FailTheSelfTestWhereFloatsAreRoundedOtherwise) {
  if (instance().properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) GTEST_SKIP() << "the CPU executes the launches";
  for (const int rounding : {FE_TOWARDZERO, FE_UPWARD}) {
    FakeKernels fake(device());
    const Context context = makeContext(fake.info());
    const VkCommandBuffer commands = device().beginCommands(0);
    ASSERT_EQ(sluCmdSelfTest(context, SLU_ROUTE_INLINE, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    ASSERT_EQ(std::fesetround(rounding), 0);
    fake.execute(commands);
    std::fesetround(FE_TONEAREST);
    EXPECT_TRUE(failsWith(sluGetSelfTestResult(context, SLU_ROUTE_INLINE), SLU_ERROR_DRIVER, context, "culling, "));
    fake.forget(commands);
    check(device().functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    device().freeCommands(commands);
  }
}

// Those on a queue for compute alone and those on one that draws, together. A launch on this route asks for little
// shared memory, so that records of 16 bytes alone are sorted by bucket there, in short tiles, and none pass through a
// pipe. The kernels of several views are for larger frames than the self-test has.
TEST_F(InlineLaunches, OfTheSelfTestAreOfEveryKernel) {
  std::set<std::string> launched;
  for (const bool hasGraphics : {false, true}) {
    FakeKernels fake(device(), {.hasGraphics = hasGraphics});
    const Context context = makeContext(fake.info());
    const VkCommandBuffer commands = device().beginCommands(0);
    ASSERT_EQ(sluCmdSelfTest(context, SLU_ROUTE_INLINE, commands), SLU_SUCCESS) << sluGetErrorMessage(context);
    for (const FakeLaunch& launch : fake.launches(commands)) launched.insert(launch.name);
    fake.forget(commands);
    check(device().functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    device().freeCommands(commands);
  }
  std::set<std::string> expected;
  for (const KernelRow& row : kernelTable()) {
    if (row.sharedBytes(row.leastBytes, 1) <= kPortableSharedBytes) expected.insert(kernelName(row.kernel));
  }
  for (const KernelRow& row : kernelTable()) {
    if (!row.isOfViews) continue;
    expected.erase(kernelName(row.kernel));
    expected.erase(kernelName(*row.counter));
  }
  EXPECT_EQ(launched, expected);
}

}  // namespace
}  // namespace slu::test
