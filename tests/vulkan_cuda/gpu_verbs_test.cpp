// The verbs on a GPU: devices that do not match, captures, what is current in CUDA, and both routes on the same
// buffers.
#include <cstring>

#include "compacted_frames.h"
#include "gpu_host.h"
#include "machines.h"
#include "sentence.h"

namespace slu::test {
namespace {

constexpr std::uint64_t kTenSeconds = 10'000'000'000;

Context createContext(const void* chain) {
  auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
  info.pNext = chain;
  Context context;
  SluMessage message{};
  EXPECT_EQ(sluCreateContext(&info, context.put(), &message), SLU_SUCCESS) << message.text;
  return context;
}

class GpuVerbs : public GpuTest {
 protected:
  ::testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
  Random random;
};

TEST_F(GpuVerbs, ACudaDeviceBesideTheVulkanDeviceMustBeTheSame) {
  auto cuda = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
  SluVulkanDeviceInfo vulkan = host->info;
  vulkan.pNext = &cuda;
  cuda.device = device;
  EXPECT_NE(createContext(&vulkan).get(), nullptr);
  for (const int other : {device + 1, -1}) {
    cuda.device = other;
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &vulkan;
    SluContext none = nullptr;
    SluMessage message{};
    EXPECT_EQ(sluCreateContext(&info, &none, &message), SLU_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(none, nullptr);
    EXPECT_SENTENCE(message.text, "cudaDevice.device: is " + std::to_string(other));
    EXPECT_SENTENCE(message.text, host->instance.properties.deviceName);
  }
}

TEST_F(GpuVerbs, WhatIsCurrentInCudaStaysSo) {
  expectContextsUntouched(device, [&](const HostsDriver& driver) {
    const CUcontext before = driver.current();
    const Context sluice = createContext(&host->info);
    EXPECT_EQ(driver.current(), before) << "after sluCreateContext";
    {
      CompactedFrames frames(host->vulkan, sluice, nullptr, 2, allUsages(host->instance), random);
      EXPECT_EQ(driver.current(), before) << "after sluCreateBuffer and sluCreatePlan";
      frames.run();
      EXPECT_EQ(driver.current(), before) << "after sluCmdRelease, sluEnqueueCompact and sluCmdAcquire";
      frames.run(false);
      frames.signal(2);
      EXPECT_EQ(driver.current(), before) << "after sluEnqueueHandoff";
      for (const std::uint64_t frame : {1u, 2u}) {
        ASSERT_EQ(frames.wait(frame, kTenSeconds), VK_SUCCESS);
        frames.expectExact(frame);
      }
    }
    EXPECT_EQ(driver.current(), before) << "after sluDestroyBuffer and sluDestroyPlan";
  });
}

// Of plans that compile a predicate and that copy their input aside; what is kept does not matter.
TEST_F(GpuVerbs, WhatIsCurrentInCudaStaysSoInPlaceAndWithPredicates) {
  auto source = SLU_INIT(CUDA_SOURCE_INFO, SluCudaSourceInfo);
  source.source =
      "struct SluPredicate {\n"
      "  __device__ bool operator()(const void*, unsigned index) const { return index % 3 == 1; }\n"
      "};\n";
  auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
  info.route = SLU_ROUTE_CUDA;
  info.flags = SLU_PLAN_IN_PLACE_BIT;
  info.recordStride = 4;
  info.maxRecordCount = 3001;
  info.outputs = SLU_OUTPUT_RECORDS_BIT;
  bool hasNvrtc = true;
  expectContextsUntouched(device, [&](const HostsDriver& driver) {
    const CUcontext before = driver.current();
    const Context sluice = createContext(&host->info);
    const SharedBuffers shared(host->vulkan, sluice, {4 * info.maxRecordCount}, allUsages(host->instance),
                               pickWays(1, random));
    const Stream stream = makeStream(*context);
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = info.maxRecordCount;
    frame.viewCount = 1;
    frame.records = frame.keptRecords = {shared.registered()[0], 0};
    for (const bool isCustom : {false, true}) {
      info.live = isCustom ? SluLive{SLU_LIVE_CUSTOM, 0, 0} : SluLive{SLU_LIVE_NON_EMPTY, 0, 4};
      info.pNext = isCustom ? &source : nullptr;
      {
        Plan plan;
        const SluResult result = sluCreatePlan(sluice, &info, plan.put());
        EXPECT_EQ(driver.current(), before) << "after sluCreatePlan";
        hasNvrtc = !isCustom || result != SLU_ERROR_ROUTE_UNAVAILABLE;
        if (!hasNvrtc) continue;
        ASSERT_EQ(result, SLU_SUCCESS) << sluGetErrorMessage(sluice);
        ASSERT_EQ(sluEnqueueCompact(plan, stream.get(), &frame), SLU_SUCCESS) << sluGetErrorMessage(sluice);
        EXPECT_EQ(driver.current(), before) << "after sluEnqueueCompact";
        const CudaScope scope(*context);
        ASSERT_EQ(cudaStreamSynchronize(stream.get()), cudaSuccess);
      }
      EXPECT_EQ(driver.current(), before) << "after sluDestroyPlan";
    }
  });
  if (!hasNvrtc) GTEST_SKIP() << "without NVRTC no predicate was compiled";
}

// What sluGetVulkanRequirements asks for the CUDA route is enough for it, and a context then picks it.
TEST_F(GpuVerbs, ADeviceWithTheRequirementsOfCudaAloneIsEnough) {
  const VulkanDevice bare(host->instance, DeviceFeatures(requirementsOf(host->instance, SLU_ROUTE_CUDA)));
  const SluVulkanDeviceInfo vulkan = bare.info();
  const Context sluice = createContext(&vulkan);
  auto route = SLU_INIT(ROUTE_INFO, SluRouteInfo);
  ASSERT_EQ(sluGetRouteInfo(sluice, SLU_ROUTE_CUDA, &route), SLU_SUCCESS);
  EXPECT_EQ(route.available, 1u) << route.reason;
  CompactedFrames frames(bare, sluice, nullptr, 5, 0, random);
  for (std::uint64_t frame = 1; frame <= 5; ++frame) {
    frames.run();
    ASSERT_EQ(frames.wait(frame, kTenSeconds), VK_SUCCESS);
    frames.expectExact(frame);
  }
}

// A plan of each route on the buffers of one context.
class GpuSharedBuffers : public GpuVerbs {
 protected:
  static constexpr std::uint32_t kRecords = 3001;

  void SetUp() override {
    GpuVerbs::SetUp();
    if (IsSkipped()) return;
    sluice = createContext(&host->info);
    const std::vector<std::uint64_t> sizes = {4 * kRecords, 4 * kRecords, 4 * kRecords};
    shared = std::make_unique<SharedBuffers>(host->vulkan, sluice, sizes, allUsages(host->instance),
                                             pickWays(sizes.size(), random));
    frame.recordCount = kRecords;
    frame.viewCount = 1;
    frame.records = {shared->registered()[0], 0};
  }
  void TearDown() override {
    shared.reset();
    sluice.reset();
    GpuVerbs::TearDown();
  }

  Plan createPlan(SluRoute route) {
    auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    info.route = route;
    info.framesInFlight = 1;
    info.order = SLU_ORDER_STABLE;
    info.recordStride = 4;
    info.maxRecordCount = kRecords;
    info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
    info.outputs = SLU_OUTPUT_INDICES_BIT;
    Plan plan;
    EXPECT_EQ(sluCreatePlan(sluice, &info, plan.put()), SLU_SUCCESS) << sluGetErrorMessage(sluice);
    return plan;
  }

  // Of all the buffers, after and before whatever commands.
  SluTransferInfo transferOfAll() const {
    return transferOf(*shared, host->vulkan, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                      VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
  }

  // The last of the commands; returns when CUDA is done and they are.
  void acquireAndWait(const SluVulkanTimelines& timelines, const SluTransferInfo& transfer) {
    const VkCommandBuffer commands = host->vulkan.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    EXPECT_EQ(sluCmdAcquire(sluice, commands, &transfer), SLU_SUCCESS) << sluGetErrorMessage(sluice);
    check(host->vulkan.functions.vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    host->vulkan.submit({commands}, {timelines.compacted, 1}, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    host->vulkan.freeCommands(commands);
  }

  Context sluice;
  std::unique_ptr<SharedBuffers> shared;
  SluFrameInfo frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
};

TEST_F(GpuSharedBuffers, AreReadAndWrittenByBothRoutes) {
  const Plan vulkanPlan = createPlan(SLU_ROUTE_VULKAN);
  const Plan cudaPlan = createPlan(SLU_ROUTE_CUDA);
  VulkanBuffer input(host->vulkan, 4 * kRecords, allUsages(host->instance), VulkanBuffer::Kind::mapped);
  for (std::uint32_t i = 0; i < kRecords; ++i) {
    const std::uint32_t word = random.chance(0.5) ? i + 1 : 0;
    std::memcpy(input.mapped + 4 * i, &word, 4);
  }
  auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  require(sluice, sluGetVulkanTimelines(sluice, &timelines), "sluGetVulkanTimelines");
  const SluTransferInfo transfer = transferOfAll();

  const VkCommandBuffer before = host->vulkan.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  const VkBufferCopy all{0, 0, input.size};
  host->vulkan.functions.vkCmdCopyBuffer(before, input.handle, shared->buffer(0), 1, &all);
  for (std::size_t i = 1; i < 3; ++i) {
    host->vulkan.functions.vkCmdFillBuffer(before, shared->buffer(i), 0, VK_WHOLE_SIZE, 0xabababab);
  }
  host->vulkan.barrier(before, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                       SLU_VULKAN_INPUT_STAGES | SLU_VULKAN_OUTPUT_STAGES,
                       SLU_VULKAN_INPUT_ACCESS | SLU_VULKAN_OUTPUT_ACCESS);
  frame.indices = {shared->registered()[1], 0};
  EXPECT_EQ(sluCmdCompact(vulkanPlan, before, &frame), SLU_SUCCESS) << sluGetErrorMessage(sluice);
  EXPECT_EQ(sluCmdRelease(sluice, before, &transfer), SLU_SUCCESS) << sluGetErrorMessage(sluice);
  check(host->vulkan.functions.vkEndCommandBuffer(before), "vkEndCommandBuffer");
  host->vulkan.enqueue({before}, {}, 0, {timelines.released, 1});

  auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.waitValue = handoff.signalValue = 1;
  frame.pNext = &handoff;
  frame.indices = {shared->registered()[2], 0};
  ASSERT_EQ(sluEnqueueCompact(cudaPlan, nullptr, &frame), SLU_SUCCESS) << sluGetErrorMessage(sluice);

  acquireAndWait(timelines, transfer);
  host->vulkan.freeCommands(before);

  std::vector<std::uint32_t> expected;
  for (std::uint32_t i = 0; i < kRecords; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, input.mapped + 4 * i, 4);
    if (word != 0) expected.push_back(i);
  }
  expected.resize(kRecords, 0xabababab);
  EXPECT_EQ(host->read(shared->buffer(1), input.size), expected) << "of the Vulkan route";
  EXPECT_EQ(host->read(shared->buffer(2), input.size), expected) << "of the CUDA route";
}

// CUDA writes what a plan of it reads, and copies what that wrote. Vulkan fills the buffers so often before that work
// of CUDA's which does not wait for it is overwritten.
TEST_F(GpuSharedBuffers, TakeWorkOfTheHostsOwnInAHandoff) {
  const Plan plan = createPlan(SLU_ROUTE_CUDA);
  const std::uint32_t live = random.between(1, kRecords - 1);
  const std::vector<SluBuffer>& buffers = shared->registered();
  auto timelines = SLU_INIT(VULKAN_TIMELINES, SluVulkanTimelines);
  require(sluice, sluGetVulkanTimelines(sluice, &timelines), "sluGetVulkanTimelines");
  const SluTransferInfo transfer = transferOfAll();
  const VkCommandBuffer before = host->vulkan.beginCommands(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    host->vulkan.functions.vkCmdFillBuffer(before, shared->buffer(i % 3), 0, VK_WHOLE_SIZE, 0);
    host->vulkan.barrier(before, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                         VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
  }
  EXPECT_EQ(sluCmdRelease(sluice, before, &transfer), SLU_SUCCESS) << sluGetErrorMessage(sluice);
  check(host->vulkan.functions.vkEndCommandBuffer(before), "vkEndCommandBuffer");
  host->vulkan.enqueue({before}, {}, 0, {timelines.released, 1});

  const Stream stream = makeStream(*context);
  auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.waitValue = 1;
  ASSERT_EQ(sluEnqueueHandoff(sluice, stream.get(), &handoff), SLU_SUCCESS) << sluGetErrorMessage(sluice);
  frame.indices = {buffers[1], 0};
  {
    const CudaScope scope(*context);
    cudaPointerAttributes attributes{};
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, sluGetCudaPointer(buffers[0])), cudaSuccess);
    EXPECT_EQ(attributes.device, device);
    EXPECT_EQ(cudaMemsetAsync(sluGetCudaPointer(buffers[0]), 1, 4 * live, stream.get()), cudaSuccess);
    ASSERT_EQ(sluEnqueueCompact(plan, stream.get(), &frame), SLU_SUCCESS) << sluGetErrorMessage(sluice);
    EXPECT_EQ(cudaMemcpyAsync(sluGetCudaPointer(buffers[2]), sluGetCudaPointer(buffers[1]), 4 * kRecords,
                              cudaMemcpyDeviceToDevice, stream.get()),
              cudaSuccess);
  }
  handoff.waitValue = 0;
  handoff.signalValue = 1;
  ASSERT_EQ(sluEnqueueHandoff(sluice, stream.get(), &handoff), SLU_SUCCESS) << sluGetErrorMessage(sluice);
  acquireAndWait(timelines, transfer);
  host->vulkan.freeCommands(before);

  std::vector<std::uint32_t> expected(kRecords);
  for (std::uint32_t i = 0; i < live; ++i) expected[i] = i;
  EXPECT_EQ(host->read(shared->buffer(1), 4 * kRecords), expected) << "what the plan kept";
  EXPECT_EQ(host->read(shared->buffer(2), 4 * kRecords), expected) << "the copy of it";
}

// A graph would replay the values. Frames without a hand-off are captured as ever.
TEST_F(GpuSharedBuffers, ACaptureTakesFramesWithoutAHandoffAlone) {
  const Plan plan = createPlan(SLU_ROUTE_CUDA);
  frame.indices = {shared->registered()[1], 0};
  auto handoff = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
  handoff.signalValue = 1;
  const Stream stream = makeStream(*context);
  const CudaScope scope(*context);
  ASSERT_EQ(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal), cudaSuccess);
  frame.pNext = &handoff;
  EXPECT_EQ(sluEnqueueCompact(plan, stream.get(), &frame), SLU_ERROR_INVALID_ARGUMENT);
  EXPECT_SENTENCE(sluGetErrorMessage(sluice), "stream: is being captured");
  frame.pNext = nullptr;
  EXPECT_EQ(sluEnqueueCompact(plan, stream.get(), &frame), SLU_SUCCESS) << sluGetErrorMessage(sluice);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream.get(), &graph), cudaSuccess);
  std::size_t nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
  EXPECT_EQ(nodes, 1u) << "a launch and nothing else";
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
}

}  // namespace
}  // namespace slu::test
