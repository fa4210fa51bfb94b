// SluHandoffInfo between Direct3D 12 and CUDA, alone and with frames: what is enqueued, in which order.
#include "fixture.h"

namespace slu::test {
namespace {

using Values = std::vector<unsigned long long>;
using Calls = std::vector<std::string>;

class D3D12CudaHandoff : public D3D12CudaTest {
 protected:
  void SetUp() override {
    D3D12CudaTest::SetUp();
    if (IsSkipped()) return;
    context = makeContext();
    cuda.calls.clear();
  }
  void TearDown() override {
    context.reset();
    D3D12CudaTest::TearDown();
  }

  SluHandoffInfo values(std::uint64_t waitValue, std::uint64_t signalValue) {
    auto info = SLU_INIT(HANDOFF_INFO, SluHandoffInfo);
    info.waitValue = waitValue;
    info.signalValue = signalValue;
    return info;
  }

  SluResult enqueue(std::uint64_t waitValue, std::uint64_t signalValue) {
    const SluHandoffInfo info = values(waitValue, signalValue);
    return sluEnqueueHandoff(context, nullptr, &info);
  }

  // Keeps words that are not 0, and writes their indices.
  SluPlanCreateInfo planInfo() {
    auto info = SLU_INIT(PLAN_CREATE_INFO, SluPlanCreateInfo);
    info.route = SLU_ROUTE_CUDA;
    info.recordStride = 4;
    info.maxRecordCount = kRecords;
    info.live = {SLU_LIVE_NON_EMPTY, 0, 4};
    info.outputs = SLU_OUTPUT_INDICES_BIT | SLU_OUTPUT_STATISTICS_BIT;
    return info;
  }

  static constexpr std::uint32_t kRecords = 1000;
  Context context;
};

TEST_F(D3D12CudaHandoff, WaitsThenSignals) {
  EXPECT_EQ(enqueue(3, 0), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(cuda.calls, (Calls{"is capturing", "wait"}));
  cuda.calls.clear();
  EXPECT_EQ(enqueue(4, 9), SLU_SUCCESS) << sluGetErrorMessage(context);
  EXPECT_EQ(cuda.calls, (Calls{"is capturing", "wait", "signal"}));
  EXPECT_EQ(cuda.waits, (Values{3, 4}));
  EXPECT_EQ(cuda.signals, (Values{9}));
}

TEST_F(D3D12CudaHandoff, RefusesValuesThatDoNotFollow) {
  ASSERT_EQ(enqueue(10, 20), SLU_SUCCESS) << sluGetErrorMessage(context);
  expectFailure(enqueue(9, 21), SLU_ERROR_INVALID_ARGUMENT, context, "handoff.waitValue: is 9, must be at least 10");
  expectFailure(enqueue(10, 20), SLU_ERROR_INVALID_ARGUMENT, context, "handoff.signalValue: is 20, must be above 20");
  cuda.isCapturing = true;
  expectFailure(enqueue(11, 21), SLU_ERROR_INVALID_ARGUMENT, context, "stream: is being captured");
  EXPECT_EQ(cuda.waits, (Values{10}));
  EXPECT_EQ(cuda.signals, (Values{20}));
}

TEST_F(D3D12CudaHandoff, PassesOnWhatTheDriverSays) {
  cuda.failing = "wait";
  expectFailure(enqueue(1, 1), SLU_ERROR_DRIVER, context, "cuWaitExternalSemaphoresAsync");
  cuda.failing = "signal";
  cuda.failAfter = 0;
  expectFailure(enqueue(1, 1), SLU_ERROR_DRIVER, context, "cuSignalExternalSemaphoresAsync");
  cuda.failing.clear();
  EXPECT_EQ(enqueue(1, 1), SLU_SUCCESS) << "none of it counts: " << sluGetErrorMessage(context);
}

// No kernel runs. Two frames on the host's resources share a hand-off: the first waits, the last signals.
TEST_F(D3D12CudaHandoff, FramesLieBetweenTheWaitAndTheSignal) {
  const Com<ID3D12Resource> records = makeCommitted(kRecords * 4);
  const Com<ID3D12Resource> outputs = makeCommitted(65536);
  BufferInfo info = infoOf(records.get());
  info.size = kRecords * 4;
  const Buffer input = make(context, info);
  info = infoOf(outputs.get());
  info.size = 65536;
  const Buffer output = make(context, info);
  const SluPlanCreateInfo planned = planInfo();
  Plan plan;
  ASSERT_EQ(sluCreatePlan(context, &planned, plan.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
  auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
  frame.recordCount = kRecords;
  frame.viewCount = 1;
  frame.records.buffer = input;
  frame.indices.buffer = output;
  frame.statistics = {output, 32768};
  const auto run = [&](const SluHandoffInfo* handoff) {
    frame.pNext = handoff;
    EXPECT_EQ(sluEnqueueCompact(plan, nullptr, &frame), SLU_SUCCESS) << sluGetErrorMessage(context);
  };
  cuda.calls.clear();
  const SluHandoffInfo begin = values(1, 0);
  const SluHandoffInfo end = values(0, 1);
  run(&begin);
  run(&end);
  EXPECT_EQ(cuda.calls, (Calls{"is capturing", "wait", "launch", "is capturing", "launch", "signal"}));
  cuda.calls.clear();
  const SluHandoffInfo both = values(2, 2);
  run(&both);
  EXPECT_EQ(cuda.calls, (Calls{"is capturing", "wait", "launch", "signal"}));
  EXPECT_EQ(cuda.waits, (Values{1, 2}));
  EXPECT_EQ(cuda.signals, (Values{1, 2}));

  cuda.calls.clear();
  frame.pNext = &both;
  expectFailure(sluEnqueueCompact(plan, nullptr, &frame), SLU_ERROR_INVALID_ARGUMENT, context,
                "handoff.signalValue: is 2, must be above 2");
  EXPECT_EQ(cuda.calls, Calls{}) << "nothing was enqueued";
}

TEST_F(D3D12CudaHandoff, PlansThatFailLeaveNothing) {
  const SluPlanCreateInfo planned = planInfo();
  const std::size_t before = cuda.mappings.size();
  for (const char* call :
       {"get kernel", "load kernel", "allocate", "create stream", "clear", "copy from host", "synchronize"}) {
    cuda.failing = call;
    cuda.failAfter = 0;
    Plan plan;
    EXPECT_NE(sluCreatePlan(context, &planned, plan.put()), SLU_SUCCESS) << call;
    EXPECT_NE(std::string(sluGetErrorMessage(context)), "") << call;
    EXPECT_EQ(cuda.mappings.size(), before) << call;
  }
}

}  // namespace
}  // namespace slu::test
