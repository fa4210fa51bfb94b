#include <gtest/gtest.h>

#include "base/cuda_owned.h"
#include "fake_cuda.h"
#include "sentence.h"

namespace slu::test {
namespace {

TEST(CudaContext, RetainsAndReleasesThePrimaryContext) {
  FakeCuda cuda;
  {
    const CudaContext context(1, cuda.functions());
    EXPECT_EQ(context.device(), 1);
    EXPECT_EQ(cuda.retained, 1);
    EXPECT_TRUE(cuda.stack.empty());
  }
  EXPECT_EQ(cuda.retained, 0);
}

TEST(CudaContext, AFailureLeavesNothingRetained) {
  FakeCuda cuda;
  for (const char* call : {"get device", "retain"}) {
    cuda.failing = call;
    EXPECT_THROW(CudaContext(0, cuda.functions()), Error);
    EXPECT_EQ(cuda.retained, 0);
  }
}

TEST(CudaScope, RestoresTheHostsContexts) {
  FakeCuda cuda;
  int hosts[2] = {};
  const std::vector<CUcontext> before = {reinterpret_cast<CUcontext>(&hosts[0]),
                                         reinterpret_cast<CUcontext>(&hosts[1])};
  cuda.stack = before;
  const CudaContext context(0, cuda.functions());
  {
    const CudaScope scope(context);
    EXPECT_EQ(cuda.stack.back(), FakeCuda::primary());
    const CudaScope nested(context);
    EXPECT_EQ(cuda.stack.size(), 4u);
  }
  EXPECT_EQ(cuda.stack, before);
  EXPECT_THROW(
      {
        const CudaScope scope(context);
        throw std::runtime_error("in the scope");
      },
      std::runtime_error);
  EXPECT_EQ(cuda.stack, before);
}

// Calls in a scope break no capture, and the host's calls break them as before.
TEST(CudaScope, RestoresTheHostsCaptureMode) {
  FakeCuda cuda;
  const CudaContext context(0, cuda.functions());
  for (const CUstreamCaptureMode mode : {CU_STREAM_CAPTURE_MODE_GLOBAL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL}) {
    cuda.captureMode = mode;
    {
      const CudaScope scope(context);
      EXPECT_EQ(cuda.captureMode, CU_STREAM_CAPTURE_MODE_RELAXED);
      { const CudaScope nested(context, std::nothrow); }
      EXPECT_EQ(cuda.captureMode, CU_STREAM_CAPTURE_MODE_RELAXED);
    }
    EXPECT_EQ(cuda.captureMode, mode);
    EXPECT_THROW(
        {
          const CudaScope scope(context);
          throw std::runtime_error("in the scope");
        },
        std::runtime_error);
    EXPECT_EQ(cuda.captureMode, mode);
  }
}

TEST(CudaScope, AContextThatIsGoneGivesASentenceAndNoPop) {
  FakeCuda cuda;
  const CudaContext context(0, cuda.functions());
  cuda.failing = "push";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { const CudaScope scope(context); }), "cuCtxPushCurrent: ");
  const CudaScope scope(context, std::nothrow);
  EXPECT_FALSE(scope);
}

TEST(CudaOwned, DestroysInsideTheContextOrNotAtAll) {
  FakeCuda cuda;
  const CudaContext context(0, cuda.functions());
  constexpr CUdeviceptr kPointer = 0x1000;
  const auto own = [&](OwnedDeviceMemory& memory) {
    *memory.put() = kPointer;
    memory.take(CUDA_SUCCESS, "cuExternalMemoryGetMappedBuffer");
    cuda.mappings[kPointer] = {};
  };
  {
    OwnedDeviceMemory memory(context);
    own(memory);
  }
  EXPECT_EQ(cuda.calls, std::vector<std::string>{"free"});
  EXPECT_TRUE(cuda.stack.empty());
  {
    OwnedDeviceMemory memory(context);
    own(memory);
    cuda.failing = "push";
  }
  EXPECT_EQ(cuda.calls.size(), 1u);
}

}  // namespace
}  // namespace slu::test
