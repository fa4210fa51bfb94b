#include "interop/external_semaphore.h"

#include <gtest/gtest.h>

#include "fake_cuda.h"
#include "open_handles.h"
#include "sentence.h"

namespace slu::test {
namespace {

struct ExternalSemaphore : ::testing::Test {
  ~ExternalSemaphore() override {
    EXPECT_TRUE(cuda.isEmpty());
    EXPECT_TRUE(cuda.stack.empty());
    EXPECT_EQ(openHandleCount(), fdsBefore);
  }
  std::size_t fdsBefore = openHandleCount();
  FakeCuda cuda;
  CudaContext context{0, cuda.functions()};
};

TEST_F(ExternalSemaphore, TheDescriptorSaysWhatTheHandleIs) {
  void* const ntHandle = reinterpret_cast<void*>(0x40);
  const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC fd = timelineDescriptor(5);
  EXPECT_EQ(fd.type, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD);
  EXPECT_EQ(fd.handle.fd, 5);
  const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC nt = timelineDescriptor(ntHandle);
  EXPECT_EQ(nt.type, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_WIN32);
  const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC fence = fenceDescriptor({ntHandle});
  EXPECT_EQ(fence.type, CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_D3D12_FENCE);
  for (const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC& descriptor : {nt, fence}) {
    EXPECT_EQ(descriptor.handle.win32.handle, ntHandle);
    EXPECT_EQ(descriptor.handle.win32.name, nullptr);
    EXPECT_EQ(descriptor.flags, 0u);
  }
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [] { fenceDescriptor({}); }), "the NT handle is null");
}

TEST_F(ExternalSemaphore, TheHandleIsGoneAfterAnImportAndOursAfterAFailedOne) {
  UniqueHandle handle(openAnything());
  cuda.failing = "import semaphore";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { const GraphicsToCuda timeline(context, handle); }),
                  "cuImportExternalSemaphore: ");
  EXPECT_TRUE(handle && isOpen(handle.get()));
  EXPECT_THROW(CudaToGraphics(context, handle), Error);
  EXPECT_TRUE(handle && isOpen(handle.get()));
  cuda.failing.clear();
  const GraphicsToCuda timeline(context, handle);
  EXPECT_FALSE(handle);
  UniqueHandle other(openAnything());
  const CudaToGraphics back(context, other);
  EXPECT_FALSE(other);
}

TEST_F(ExternalSemaphore, AFailureOfTheSecondTakesTheFirstAlong) {
  cuda.failing = "import semaphore";
  cuda.failAfter = 1;
  UniqueHandle first(openAnything()), second(openAnything());
  EXPECT_THROW(
      {
        const GraphicsToCuda toCuda(context, first);
        const CudaToGraphics toGraphics(context, second);
      },
      Error);
  EXPECT_EQ(cuda.calls.back(), "destroy semaphore");
  EXPECT_TRUE(cuda.isEmpty());
}

TEST_F(ExternalSemaphore, SignalsOnlyGrow) {
  UniqueHandle handle(openAnything());
  CudaToGraphics timeline(context, handle);
  EXPECT_EQ(timeline.enqueuedSignal(), 0u);
  for (const std::uint64_t value : {1u, 2u, 7u}) timeline.enqueueSignal(nullptr, value);
  for (const std::uint64_t value : {0u, 6u, 7u}) {
    EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { timeline.enqueueSignal(nullptr, value); }),
                    "after one of 7; values only grow");
  }
  EXPECT_EQ(cuda.signals, (std::vector<unsigned long long>{1, 2, 7}));
  EXPECT_EQ(timeline.enqueuedSignal(), 7u);
}

TEST_F(ExternalSemaphore, WaitsDoNotFallAndAreForSomething) {
  UniqueHandle handle(openAnything());
  GraphicsToCuda timeline(context, handle);
  sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { timeline.enqueueWait(nullptr, 0); });
  for (const std::uint64_t value : {1u, 5u, 5u}) timeline.enqueueWait(nullptr, value);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { timeline.enqueueWait(nullptr, 4); }),
                  "a wait for 4 after one for 5");
  EXPECT_EQ(cuda.waits, (std::vector<unsigned long long>{1, 5, 5}));
}

// The value of a failed signal is free again, and graphics is not told to wait for it.
TEST_F(ExternalSemaphore, AFailedCallCountsForNothing) {
  UniqueHandle handle(openAnything()), other(openAnything());
  GraphicsToCuda toCuda(context, handle);
  CudaToGraphics toGraphics(context, other);
  cuda.failing = "signal";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { toGraphics.enqueueSignal(nullptr, 3); }),
                  "cuSignalExternalSemaphoresAsync: ");
  EXPECT_EQ(toGraphics.enqueuedSignal(), 0u);
  cuda.failing = "wait";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { toCuda.enqueueWait(nullptr, 3); }),
                  "cuWaitExternalSemaphoresAsync: ");
  cuda.failing.clear();
  toGraphics.enqueueSignal(nullptr, 3);
  toCuda.enqueueWait(nullptr, 1);
}

}  // namespace
}  // namespace slu::test
