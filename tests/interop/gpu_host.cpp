#include "gpu_host.h"

#include <cstring>

#include "interop/cuda_error.h"
#include "interop/device_match.h"

namespace slu::test {

void GpuTest::SetUp() {
  ExternalTest::SetUp();
  if (host == nullptr) return;
  try {
    device = findCudaDevice(InstanceFunctions(loadVulkan(), host->instance.handle), host->instance.physicalDevice);
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  context = std::make_unique<CudaContext>(device);
}

void GpuTest::TearDown() {
  context.reset();
  ExternalTest::TearDown();
}

void StreamDeleter::operator()(cudaStream_t stream) const {
  const CudaScope scope(*context);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

Stream makeStream(const CudaContext& context) {
  const CudaScope scope(context);
  cudaStream_t stream = nullptr;
  slu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return Stream(stream, {&context});
}

void PinnedDeleter::operator()(std::uint32_t* words) const {
  const CudaScope scope(*context);
  EXPECT_EQ(cudaFreeHost(words), cudaSuccess);
}

Pinned makePinned(const CudaContext& context, std::size_t wordCount) {
  const CudaScope scope(context);
  void* words = nullptr;
  slu::check(cudaMallocHost(&words, wordCount * 4), "cudaMallocHost");
  std::memset(words, 0, wordCount * 4);
  return Pinned(static_cast<std::uint32_t*>(words), {&context});
}

}  // namespace slu::test
