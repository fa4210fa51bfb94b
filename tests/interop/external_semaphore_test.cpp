#include "interop/external_semaphore.h"

#include <gtest/gtest.h>

#include "fake_cuda.h"
#include "file_descriptors.h"
#include "sentence.h"

namespace slu::test {
namespace {

struct ExternalSemaphore : ::testing::Test {
  ~ExternalSemaphore() override {
    EXPECT_TRUE(cuda.isEmpty());
    EXPECT_TRUE(cuda.stack.empty());
    EXPECT_EQ(openFdCount(), fdsBefore);
  }
  std::size_t fdsBefore = openFdCount();
  FakeCuda cuda;
  CudaContext context{0, cuda.functions()};
};

TEST_F(ExternalSemaphore, TheFdIsCudasAfterAnImportAndOursAfterAFailedOne) {
  UniqueFd fd(openAnything());
  cuda.failing = "import semaphore";
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_DRIVER, [&] { const GraphicsToCuda timeline(context, fd); }),
                  "cuImportExternalSemaphore: ");
  EXPECT_TRUE(fd && isOpen(fd.get()));
  EXPECT_THROW(CudaToGraphics(context, fd), Error);
  EXPECT_TRUE(fd && isOpen(fd.get()));
  cuda.failing.clear();
  const GraphicsToCuda timeline(context, fd);
  EXPECT_FALSE(fd);
  UniqueFd other(openAnything());
  const CudaToGraphics back(context, other);
  EXPECT_FALSE(other);
}

TEST_F(ExternalSemaphore, AFailureOfTheSecondTakesTheFirstAlong) {
  cuda.failing = "import semaphore";
  cuda.failAfter = 1;
  UniqueFd first(openAnything()), second(openAnything());
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
  UniqueFd fd(openAnything());
  CudaToGraphics timeline(context, fd);
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
  UniqueFd fd(openAnything());
  GraphicsToCuda timeline(context, fd);
  sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { timeline.enqueueWait(nullptr, 0); });
  for (const std::uint64_t value : {1u, 5u, 5u}) timeline.enqueueWait(nullptr, value);
  EXPECT_SENTENCE(sentenceOf(SLU_ERROR_INVALID_ARGUMENT, [&] { timeline.enqueueWait(nullptr, 4); }),
                  "a wait for 4 after one for 5");
  EXPECT_EQ(cuda.waits, (std::vector<unsigned long long>{1, 5, 5}));
}

// The value of a failed signal is free again, and graphics is not told to wait for it.
TEST_F(ExternalSemaphore, AFailedCallCountsForNothing) {
  UniqueFd fd(openAnything()), other(openAnything());
  GraphicsToCuda toCuda(context, fd);
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
