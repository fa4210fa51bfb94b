// SluHandoffInfo, of a frame and of sluEnqueueHandoff: which values are taken, and that nothing is enqueued for those
// that are not.
#include "api/objects.h"
#include "link_fixture.h"
#include "plans.h"
#include "routes/cuda/cuda_route.h"
#include "routes/cuda/vulkan_link.h"
#include "sentence.h"

namespace slu::test {
namespace {

class Handoff : public LinkTest {
 protected:
  void SetUp() override {
    LinkTest::SetUp();
    if (IsSkipped()) return;
    context = std::make_unique<CudaContext>(0, cuda.functions());
    link = std::make_unique<VulkanLink>(deviceInfo(), *context);
  }
  void TearDown() override {
    link.reset();
    context.reset();
    LinkTest::TearDown();
  }

  // What becomes of a frame's.
  void run(std::uint64_t waitValue, std::uint64_t signalValue) {
    info.waitValue = waitValue;
    info.signalValue = signalValue;
    link->enqueue(link->check(info, nullptr), nullptr);
  }

  void expectRefused(std::uint64_t waitValue, std::uint64_t signalValue, const std::string& part) {
    const auto waits = cuda.waits;
    const auto signals = cuda.signals;
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { run(waitValue, signalValue); }), part);
    EXPECT_EQ(cuda.waits, waits);
    EXPECT_EQ(cuda.signals, signals);
  }

  std::unique_ptr<CudaContext> context;
  std::unique_ptr<VulkanLink> link;
  SluHandoffInfo info = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
};

using Values = std::vector<unsigned long long>;

TEST_F(Handoff, WaitsBeforeAndSignalsAfter) {
  cuda.calls.clear();
  run(1, 1);
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"is capturing", "wait", "signal"}));
  run(2, 7);
  EXPECT_EQ(cuda.waits, (Values{1, 2}));
  EXPECT_EQ(cuda.signals, (Values{1, 7}));
}

TEST_F(Handoff, SeveralFramesShareOne) {
  run(5, 0);
  run(0, 0);
  run(5, 0);
  run(0, 5);
  EXPECT_EQ(cuda.waits, (Values{5, 5}));
  EXPECT_EQ(cuda.signals, (Values{5}));
}

TEST_F(Handoff, ValuesOnlyGrow) {
  run(10, 20);
  expectRefused(9, 21, "handoff.waitValue: is 9, must be at least 10");
  expectRefused(10, 20, "handoff.signalValue: is 20, must be above 20");
  expectRefused(11, 19, "handoff.signalValue: is 19, must be above 20");
  run(10, 21);
}

TEST_F(Handoff, ACaptureIsRefused) {
  cuda.isCapturing = true;
  expectRefused(1, 1, "stream: is being captured");
  expectRefused(0, 1, "stream: is being captured");
  run(0, 0);
  cuda.isCapturing = false;
  cuda.failing = "is capturing";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { run(1, 1); }), "cuStreamIsCapturing");
  EXPECT_TRUE(cuda.waits.empty());
}

TEST_F(Handoff, NeedsAVulkanDevice) {
  const std::unique_ptr<Route> route = makeCudaRoute(std::make_unique<const CudaContext>(0, cuda.functions()), nullptr);
  route->checkHandoff(&info, nullptr);  // asks for nothing
  info.waitValue = 1;
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { route->checkHandoff(&info, nullptr); }),
                  "frame.pNext: SluHandoffInfo needs a context");
}

// sluEnqueueHandoff: the same without a frame.
class HandoffAlone : public LinkTest {
 protected:
  void SetUp() override {
    LinkTest::SetUp();
    if (IsSkipped()) return;
    api = makeContext();
    cuda.calls.clear();
  }
  void TearDown() override {
    api.reset();
    LinkTest::TearDown();
  }

  SluResult enqueue(std::uint64_t waitValue, std::uint64_t signalValue) {
    info.waitValue = waitValue;
    info.signalValue = signalValue;
    return sluEnqueueHandoff(api, nullptr, &info);
  }

  void expectRefused(SluResult result, const std::string& part) {
    expectFailure(sluEnqueueHandoff(api, nullptr, &info), result, api, part);
    EXPECT_TRUE(cuda.waits.empty());
    EXPECT_TRUE(cuda.signals.empty());
  }

  Context api;
  SluHandoffInfo info = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
};

TEST_F(HandoffAlone, WaitsThenSignals) {
  EXPECT_EQ(enqueue(3, 0), SLU_SUCCESS) << sluGetErrorMessage(api);
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"is capturing", "wait"}));
  EXPECT_EQ(enqueue(0, 3), SLU_SUCCESS) << sluGetErrorMessage(api);
  cuda.calls.clear();
  EXPECT_EQ(enqueue(4, 9), SLU_SUCCESS) << sluGetErrorMessage(api);
  EXPECT_EQ(cuda.calls, (std::vector<std::string>{"is capturing", "wait", "signal"}));
  cuda.calls.clear();
  EXPECT_EQ(enqueue(0, 0), SLU_SUCCESS) << sluGetErrorMessage(api);
  EXPECT_TRUE(cuda.calls.empty());
  EXPECT_EQ(cuda.waits, (Values{3, 4}));
  EXPECT_EQ(cuda.signals, (Values{3, 9}));
}

// Frames and calls without one have the same timelines.
TEST_F(HandoffAlone, SharesItsValuesWithFrames) {
  VulkanHandoff* ofRoute = api.get()->state->routes[SLU_ROUTE_CUDA]->vulkanHandoff();
  TimelineEnds& timelines = static_cast<VulkanLink*>(ofRoute)->timelineEnds();
  ASSERT_EQ(enqueue(10, 20), SLU_SUCCESS) << sluGetErrorMessage(api);
  EXPECT_EQ(timelines.graphicsToCuda.enqueuedWait(), 10u);
  EXPECT_EQ(timelines.cudaToGraphics.enqueuedSignal(), 20u);
  expectFailure(enqueue(9, 0), SLU_ERROR_INVALID_ARGUMENT, api, "handoff.waitValue: is 9, must be at least 10");
  expectFailure(enqueue(11, 20), SLU_ERROR_INVALID_ARGUMENT, api, "handoff.signalValue: is 20, must be above 20");
  EXPECT_EQ(cuda.waits, (Values{10}));
  EXPECT_EQ(cuda.signals, (Values{20}));
}

// Of a host that was built with a newer version of the header.
TEST_F(HandoffAlone, TakesALongerStruct) {
  struct {
    SluHandoffInfo info = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
    std::uint64_t newer = 0;
  } longer;
  longer.info.structSize = sizeof(longer);
  longer.info.waitValue = 5;
  EXPECT_EQ(sluEnqueueHandoff(api, nullptr, &longer.info), SLU_SUCCESS) << sluGetErrorMessage(api);
  EXPECT_EQ(cuda.waits, (Values{5}));
  longer.newer = 1;
  expectFailure(sluEnqueueHandoff(api, nullptr, &longer.info), SLU_ERROR_INVALID_ARGUMENT, api, "handoff.structSize");
}

TEST_F(HandoffAlone, RefusesWhatIsMalformed) {
  const SluHandoffInfo good = info;
  expectFailure(sluEnqueueHandoff(api, nullptr, nullptr), SLU_ERROR_INVALID_ARGUMENT, api, "handoff: is null");
  info.sType = SLU_STRUCTURE_TYPE_TRANSFER_INFO;
  expectRefused(SLU_ERROR_INVALID_ARGUMENT, "handoff.sType");
  info = good;
  info.structSize -= 8;
  expectRefused(SLU_ERROR_INVALID_ARGUMENT, "handoff.structSize");
  info = good;
  info.pNext = &good;
  expectRefused(SLU_ERROR_INVALID_ARGUMENT, "handoff.pNext");
}

TEST_F(HandoffAlone, NeedsAGraphicsDevice) {
  api.get()->state->routes[SLU_ROUTE_CUDA] =
      makeCudaRoute(std::make_unique<const CudaContext>(0, cuda.functions()), nullptr);
  info.waitValue = 1;
  expectRefused(SLU_ERROR_ROUTE_UNAVAILABLE, "context: was created without an SluVulkanDeviceInfo");
}

TEST_F(HandoffAlone, RefusesACaptureAndPassesOnWhatTheDriverSays) {
  info.waitValue = info.signalValue = 1;
  cuda.isCapturing = true;
  expectRefused(SLU_ERROR_INVALID_ARGUMENT, "stream: is being captured");
  cuda.isCapturing = false;
  cuda.failing = "wait";
  expectRefused(SLU_ERROR_DRIVER, "cuWaitExternalSemaphoresAsync");
  cuda.failing.clear();
  EXPECT_EQ(enqueue(1, 1), SLU_SUCCESS) << sluGetErrorMessage(api);
}

// Through the API, with a plan that only notes its frames.
class NotedPlan : public RoutePlan {
 public:
  explicit NotedPlan(std::vector<HandoffValues>& handoffs) : handoffs_(handoffs) {}
  void run(const Frame& frame, void*) override { handoffs_.push_back(frame.handoff); }
  std::uint64_t tileRecords() const override { return 1; }
  std::uint64_t scratchBytes() const override { return 0; }

 private:
  std::vector<HandoffValues>& handoffs_;
};

TEST_F(Handoff, IsAStructOfTheCudaRoutesFramesAlone) {
  const Context api = makeContext();
  const PlanSpec spec = simplePlan(SLU_ORDER_UNORDERED, 4, 16);
  Plan plan;
  ASSERT_EQ(sluCreatePlan(api, PlanArguments(spec, SLU_ROUTE_CPU).get(), plan.put()), SLU_SUCCESS);
  std::vector<HandoffValues> handoffs;
  plan.get()->routePlan = std::make_unique<NotedPlan>(handoffs);
  std::vector<std::uint32_t> memory(1024);
  auto bufferInfo = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
  bufferInfo.size = 4096;
  bufferInfo.hostPointer = memory.data();
  Buffer buffer;
  ASSERT_EQ(sluCreateBuffer(api, &bufferInfo, buffer.put()), SLU_SUCCESS);
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.viewCount = 1;
  std::uint64_t offset = 0;
  for (SluBinding* binding : {&frame.indices, &frame.keptRecords, &frame.statistics, &frame.bucketCounts}) {
    *binding = {buffer, std::exchange(offset, offset + 512)};
  }
  frame.pNext = &info;
  expectFailure(sluCompact(plan, &frame), SLU_ERROR_INVALID_ARGUMENT, api, "frame.pNext");
  EXPECT_TRUE(handoffs.empty());

  plan.get()->route = SLU_ROUTE_CUDA;
  buffer.get()->attachments[SLU_ROUTE_CUDA] = std::move(buffer.get()->attachments[SLU_ROUTE_CPU]);
  info.waitValue = 3;
  info.signalValue = 4;
  ASSERT_EQ(sluEnqueueCompact(plan, nullptr, &frame), SLU_SUCCESS) << sluGetErrorMessage(api);
  ASSERT_EQ(handoffs.size(), 1u);
  EXPECT_EQ(handoffs[0].wait, 3u);
  EXPECT_EQ(handoffs[0].signal, 4u);
  frame.pNext = nullptr;
  ASSERT_EQ(sluEnqueueCompact(plan, nullptr, &frame), SLU_SUCCESS) << sluGetErrorMessage(api);
  ASSERT_EQ(handoffs.size(), 2u);
  EXPECT_EQ(handoffs[1].wait + handoffs[1].signal, 0u);
  // The route sees none of those that it could not enqueue.
  frame.pNext = &info;
  cuda.isCapturing = true;
  expectFailure(sluEnqueueCompact(plan, nullptr, &frame), SLU_ERROR_INVALID_ARGUMENT, api, "stream: is being captured");
  info.structSize -= 8;
  expectFailure(sluEnqueueCompact(plan, nullptr, &frame), SLU_ERROR_INVALID_ARGUMENT, api, "handoff.structSize");
  info.structSize += 8;
  EXPECT_EQ(handoffs.size(), 2u);
  info.pNext = &frame;
  expectFailure(sluEnqueueCompact(plan, nullptr, &frame), SLU_ERROR_INVALID_ARGUMENT, api, "frame.pNext");
}

}  // namespace
}  // namespace slu::test
