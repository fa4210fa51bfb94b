#include "gpu_host.h"

#include <cstring>

#include "cuda_memory.h"
#include "interop/device_match.h"

namespace slu::test {

void GpuTest::SetUp() {
  ExternalTest::SetUp();
  if (host == nullptr) return;
  try {
    device = findCudaDevice(findCudaFunctions(), InstanceFunctions(loadVulkan(), host->instance.handle),
                            host->instance.physicalDevice);
  } catch (const Error& error) {
    GTEST_SKIP() << error.what();
  }
  context = std::make_unique<CudaContext>(device);
}

void GpuTest::TearDown() {
  context.reset();
  ExternalTest::TearDown();
}

namespace {

template <typename Function>
void find(const char* name, Function& function) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  check(cudaGetDriverEntryPointByVersion(name, &found, 12000, cudaEnableDefault, &status), name);
  function = reinterpret_cast<Function>(found);
}

}  // namespace

HostsDriver::HostsDriver() {
  find("cuCtxGetCurrent", getCurrent);
  find("cuCtxCreate", create);
  find("cuCtxDestroy", destroy);
  find("cuCtxSetCurrent", setCurrent);
}

CUcontext HostsDriver::current() const {
  CUcontext context = nullptr;
  EXPECT_EQ(getCurrent(&context), CUDA_SUCCESS);
  return context;
}

void expectContextsUntouched(int device, const std::function<void(const HostsDriver& driver)>& work) {
  const HostsDriver driver;
  ASSERT_EQ(driver.setCurrent(nullptr), CUDA_SUCCESS);
  work(driver);
  EXPECT_EQ(driver.current(), nullptr);

  CUcontext hosts = nullptr;
  ASSERT_EQ(driver.create(&hosts, nullptr, 0, 0, device), CUDA_SUCCESS);
  EXPECT_EQ(driver.current(), hosts);
  work(driver);
  EXPECT_EQ(driver.current(), hosts);
  EXPECT_EQ(driver.destroy(hosts), CUDA_SUCCESS);

  ASSERT_EQ(cudaSetDevice(device), cudaSuccess);
  work(driver);
  int current = -1;
  ASSERT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, device);
}

void StreamDeleter::operator()(cudaStream_t stream) const {
  const CudaScope scope(*context);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
}

Stream makeStream(const CudaContext& context) {
  const CudaScope scope(context);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return Stream(stream, {&context});
}

void PinnedDeleter::operator()(std::uint32_t* words) const {
  const CudaScope scope(*context);
  EXPECT_EQ(cudaFreeHost(words), cudaSuccess);
}

Pinned makePinned(const CudaContext& context, std::size_t wordCount) {
  const CudaScope scope(context);
  void* words = nullptr;
  check(cudaMallocHost(&words, wordCount * 4), "cudaMallocHost");
  std::memset(words, 0, wordCount * 4);
  return Pinned(static_cast<std::uint32_t*>(words), {&context});
}

}  // namespace slu::test
