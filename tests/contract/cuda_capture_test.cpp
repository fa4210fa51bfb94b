// Contexts, buffers and plans of the CUDA route come and go while a stream is captured.
#include <array>
#include <thread>

#include "contract.h"
#include "cuda_memory.h"

namespace slu::test {
namespace {

constexpr std::uint32_t kCount = 5000, kWords = 4;
constexpr std::uint64_t kInputBytes = kCount * kWords * 4;

enum class By { captor, otherThread };

struct CaptureCase {
  cudaStreamCaptureMode mode;
  unsigned streamFlags;
  By by;
};

// A capture of the host's, of two fills of its own memory.
class Capture {
 public:
  Capture(void* memory, const CaptureCase& form) : memory_(memory) {
    check(cudaStreamCreateWithFlags(&stream_, form.streamFlags), "cudaStreamCreateWithFlags");
    check(cudaStreamBeginCapture(stream_, form.mode), "cudaStreamBeginCapture");
    check(cudaMemsetAsync(memory_, 0x11, kInputBytes, stream_), "cudaMemsetAsync");
  }
  ~Capture() {
    cudaStreamDestroy(stream_);
    cudaGetLastError();
  }
  Capture(const Capture&) = delete;
  Capture& operator=(const Capture&) = delete;

  // Goes on to the end, and executes what was captured.
  void finish() {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    check(cudaStreamIsCapturing(stream_, &status), "cudaStreamIsCapturing");
    EXPECT_EQ(status, cudaStreamCaptureStatusActive) << "the capture is broken";
    check(cudaMemsetAsync(memory_, 0x22, kInputBytes, stream_), "cudaMemsetAsync");
    cudaGraph_t graph = nullptr;
    check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
    std::size_t nodes = 0;
    check(cudaGraphGetNodes(graph, nullptr, &nodes), "cudaGraphGetNodes");
    EXPECT_EQ(nodes, 2u) << "more than the host's own work was captured";
    cudaGraphExec_t executable = nullptr;
    check(cudaGraphInstantiate(&executable, graph, 0), "cudaGraphInstantiate");
    check(cudaGraphLaunch(executable, stream_), "cudaGraphLaunch");
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    std::vector<std::uint8_t> found(kInputBytes);
    check(cudaMemcpy(found.data(), memory_, kInputBytes, cudaMemcpyDefault), "cudaMemcpy");
    EXPECT_EQ(found, std::vector<std::uint8_t>(kInputBytes, 0x22));
  }

 private:
  void* const memory_;
  cudaStream_t stream_ = nullptr;
};

// What the library has in one context, with memory that the host allocated before.
struct Host {
  Context context;
  Buffer records, kept, counts;
  std::array<Plan, 2> plans;

  Host() = default;
  Host(const std::shared_ptr<void>& recordMemory, const std::shared_ptr<void>& keptMemory,
       const std::shared_ptr<void>& countMemory) {
    const auto cuda = SLU_INIT(CUDA_DEVICE_INFO, SluCudaDeviceInfo);
    auto info = SLU_INIT(CONTEXT_CREATE_INFO, SluContextCreateInfo);
    info.pNext = &cuda;
    SluMessage message{};
    if (sluCreateContext(&info, context.put(), &message) != SLU_SUCCESS) throw std::runtime_error(message.text);
    attach(recordMemory, kInputBytes, records);
    attach(keptMemory, kInputBytes, kept);
    attach(countMemory, sizeof(SluBucketCount), counts);
    for (std::size_t order = 0; order < plans.size(); ++order) {
      PlanSpec spec = simplePlan(kOrders[order], kWords * 4, kCount);
      spec.info.flags = SLU_PLAN_IN_PLACE_BIT;
      spec.info.outputs = SLU_OUTPUT_RECORDS_BIT | SLU_OUTPUT_BUCKET_COUNTS_BIT;
      addBuckets(spec, 1, 1, kCount, 0);
      test::require(context, sluCreatePlan(context, PlanArguments(spec, SLU_ROUTE_CUDA).get(), plans[order].put()),
                    "sluCreatePlan");
    }
  }

  // How many records a frame of the plan keeps.
  std::uint32_t keptCount(SluPlan plan, const void* countMemory) const {
    auto frame = SLU_INIT(FRAME_INFO, SluFrameInfo);
    frame.recordCount = kCount;
    frame.viewCount = 1;
    frame.records = {records, 0};
    frame.keptRecords = {kept, 0};
    frame.bucketCounts = {counts, 0};
    test::require(context, sluEnqueueCompact(plan, nullptr, &frame), "sluEnqueueCompact");
    SluBucketCount found{};
    check(cudaMemcpy(&found, countMemory, sizeof(found), cudaMemcpyDefault), "cudaMemcpy");
    return found.keptCount;
  }

 private:
  void attach(const std::shared_ptr<void>& memory, std::uint64_t size, Buffer& buffer) {
    auto cuda = SLU_INIT(CUDA_BUFFER_INFO, SluCudaBufferInfo);
    cuda.devicePointer = memory.get();
    auto info = SLU_INIT(BUFFER_CREATE_INFO, SluBufferCreateInfo);
    info.pNext = &cuda;
    info.size = size;
    test::require(context, sluCreateBuffer(context, &info, buffer.put()), "sluCreateBuffer");
  }
};

class CudaCapture : public testing::TestWithParam<CaptureCase> {
 protected:
  void SetUp() override {
    std::string reason;
    if (findMachine(MachineKind::cuda, reason) == nullptr) GTEST_SKIP() << reason;
  }

  // In the thread of the case. Exceptions reach the test.
  static void run(const std::function<void()>& work) {
    if (GetParam().by == By::captor) return work();
    std::exception_ptr thrown;
    std::thread([&] {
      try {
        work();
      } catch (...) {
        thrown = std::current_exception();
      }
    }).join();
    if (thrown) std::rethrow_exception(thrown);
  }
};

INSTANTIATE_TEST_SUITE_P(, CudaCapture,
                         testing::Values(CaptureCase{cudaStreamCaptureModeGlobal, cudaStreamDefault, By::captor},
                                         CaptureCase{cudaStreamCaptureModeGlobal, cudaStreamDefault, By::otherThread},
                                         CaptureCase{cudaStreamCaptureModeGlobal, cudaStreamNonBlocking, By::captor},
                                         CaptureCase{cudaStreamCaptureModeThreadLocal, cudaStreamDefault, By::captor},
                                         CaptureCase{cudaStreamCaptureModeThreadLocal, cudaStreamNonBlocking,
                                                     By::otherThread}),
                         [](const auto& form) {
                           return std::string(form.param.mode == cudaStreamCaptureModeGlobal ? "global"
                                                                                             : "threadLocal") +
                                  (form.param.streamFlags == cudaStreamDefault ? "Blocking" : "NonBlocking") +
                                  (form.param.by == By::captor ? "SameThread" : "OtherThread");
                         });

TEST_P(CudaCapture, OutlastsWhatIsCreatedAndDestroyed) {
  const std::shared_ptr<void> memory = allocateCuda(CudaMemoryKind::device, kInputBytes);
  const std::shared_ptr<void> records = allocateCuda(CudaMemoryKind::device, kInputBytes);
  const std::shared_ptr<void> kept = allocateCuda(CudaMemoryKind::device, kInputBytes);
  const std::shared_ptr<void> counts = allocateCuda(CudaMemoryKind::device, sizeof(SluBucketCount));
  std::vector<std::uint32_t> words(kCount * kWords);
  std::uint32_t expected = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) expected += (words[i * kWords] = i % 3) != 0 ? 1 : 0;
  check(cudaMemcpy(records.get(), words.data(), kInputBytes, cudaMemcpyDefault), "cudaMemcpy");
  Host stays;
  {
    Capture capture(memory.get(), GetParam());
    run([&] {
      stays = Host(records, kept, counts);
      const Host goes(records, kept, counts);
    });
    ASSERT_NO_THROW(capture.finish());
  }
  for (const Plan& plan : stays.plans) EXPECT_EQ(stays.keptCount(plan, counts.get()), expected);
  {
    Capture capture(memory.get(), GetParam());
    run([&] { stays = Host(); });
    ASSERT_NO_THROW(capture.finish());
  }
}

}  // namespace
}  // namespace slu::test
