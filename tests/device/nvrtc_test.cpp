// device.cuh through NVRTC, as a program has it that compiles its users' kernels at run time. Needs no GPU but for the
// last test.
#include <cuda_runtime_api.h>

#include <algorithm>

#include "executor.h"
#include "nvrtc_library.h"

namespace slu::test {
namespace {

// Every function; a kernel has one call, so that its atomics can be counted.
constexpr const char* kSource = R"(
#include <sluice/device.cuh>
namespace device = slu::device;

struct Lanes {
  __device__ unsigned thread_rank() const { return device::laneOfWarp(); }
  __device__ unsigned size() const { return 32; }
  template <typename T>
  __device__ T shfl(T value, unsigned rank) const { return __shfl_sync(device::kFullWarp, value, rank); }
};

extern "C" __global__ void increment(const int* keep, unsigned* counter, unsigned* places) {
  if (keep[threadIdx.x] != 0) places[threadIdx.x] = device::increment(counter);
}
extern "C" __global__ void incrementInGroup(int* counter, int* places) {
  places[threadIdx.x] = device::incrementInGroup(Lanes(), counter);
}
extern "C" __global__ void incrementByKey(const long long* keys, unsigned long long* counters, unsigned* places) {
  places[threadIdx.x] = device::incrementByKey(counters, keys[threadIdx.x]);
}
using Wide = unsigned long long;
extern "C" __global__ void add(const Wide* values, Wide* counter, Wide* places) {
  places[threadIdx.x] = device::add(counter, values[threadIdx.x]);
}
extern "C" __global__ void accumulateInteger(const int* values, int* counter) {
  device::accumulate(counter, values[threadIdx.x]);
}
extern "C" __global__ void accumulateFloat(const float* values, float* counter) {
  device::accumulate(counter, values[threadIdx.x]);
}
extern "C" __global__ void addByKey(const unsigned* keys, const double* values, double* target) {
  device::addByKey(target, keys[threadIdx.x], values[threadIdx.x]);
}
extern "C" __global__ void tile(const unsigned* flags, unsigned* counter, unsigned* places) {
  using Tile = device::Tile<256, 4, 2>;
  __shared__ unsigned counts[Tile::kCounts];
  __shared__ unsigned slot;
  const auto ranks = device::rankTile<Tile>(flags[threadIdx.x], counts);
  places[threadIdx.x] = device::reserve(counter, ranks.total, &slot) + ranks.of(3);
}
extern "C" __global__ void reduce(const float* values, float* results) {
  const unsigned peers = device::peersByKey(device::kFullWarp, threadIdx.x / 3);
  const float least = device::reducePeers(device::kFullWarp, peers, values[threadIdx.x], device::Minimum());
  if (device::leads(peers)) results[threadIdx.x] = least;
}
)";

class DeviceNvrtc : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvrtc.isLoaded()) GTEST_SKIP() << "NVRTC: " << nvrtc.reason();
  }
  Nvrtc nvrtc;
};

// How often PTX has the text within a kernel; -1 when it lacks the kernel.
int countIn(const std::string& ptx, const std::string& kernel, const std::string& text) {
  const std::size_t start = ptx.find(".entry " + kernel + "(");
  if (start == std::string::npos) return -1;
  const std::size_t end = ptx.find("\n}", start);
  int count = 0;
  for (std::size_t at = start; (at = ptx.find(text, at + 1)) < end;) ++count;
  return count;
}

TEST_F(DeviceNvrtc, CompilesWithoutAWarningForEveryArchitecture) {
  unsigned compiled = 0;
  for (const int number : nvrtc.architectures()) {
    if (number < 75) continue;
    const Nvrtc::Code code = nvrtc.compile(kSource, "sm_" + std::to_string(number));
    EXPECT_EQ(code.result, NVRTC_SUCCESS) << "sm_" << number << "\n" << code.log;
    EXPECT_PRED_FORMAT2(testing::IsNotSubstring, "device.cuh", code.log);
    EXPECT_FALSE(code.cubin.empty()) << "sm_" << number;
    ++compiled;
  }
  EXPECT_GE(compiled, 4u);
}

TEST_F(DeviceNvrtc, EachFunctionHasOneAtomic) {
  for (const char* architecture : {"compute_75", "compute_80", "compute_90"}) {
    const Nvrtc::Code code = nvrtc.compile(kSource, architecture);
    ASSERT_EQ(code.result, NVRTC_SUCCESS) << architecture << "\n" << code.log;
    for (const char* kernel : {"increment", "incrementInGroup", "incrementByKey", "add", "accumulateInteger",
                               "accumulateFloat", "addByKey", "tile"}) {
      EXPECT_EQ(countIn(code.ptx, kernel, "\tatom.") + countIn(code.ptx, kernel, "\tred."), 1)
          << kernel << ", " << architecture;
    }
    EXPECT_EQ(countIn(code.ptx, "reduce", "\tatom."), 0) << architecture;
    EXPECT_EQ(countIn(code.ptx, "tile", "bar.sync"), 2) << architecture;
    EXPECT_EQ(countIn(code.ptx, "accumulateInteger", "redux.sync"), architecture == std::string("compute_75") ? 0 : 1);
  }
}

TEST_F(DeviceNvrtc, ABrokenSourceGetsItsLog) {
  const Nvrtc::Code code =
      nvrtc.compile("#include <sluice/device.cuh>\n\nvoid broken() { int x = undeclared; }\n", "compute_75");
  EXPECT_EQ(code.result, NVRTC_ERROR_COMPILATION);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "kernels.cu(3)", code.log);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "undeclared", code.log);
}

TEST_F(DeviceNvrtc, WhatIsNotForFloatsSaysSo) {
  const std::string source = R"(
#include <sluice/device.cuh>
__global__ void addFloats(float* counter) { slu::device::add(counter, 1.0f); }
__global__ void tileOfPartialWarps(unsigned* counts) { slu::device::rankTile<slu::device::Tile<48, 4>>(0, counts); }
)";
  const Nvrtc::Code code = nvrtc.compile(source, "compute_75");
  EXPECT_EQ(code.result, NVRTC_ERROR_COMPILATION);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "add: counter must point to an integer", code.log);
  EXPECT_PRED_FORMAT2(testing::IsSubstring, "Tile: Threads", code.log);
}

void require(cudaError_t result, const char* call) {
  if (result != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(result));
}

class LoadedLibrary {
 public:
  explicit LoadedLibrary(const std::vector<char>& cubin) {
    require(cudaLibraryLoadData(&library_, cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
            "cudaLibraryLoadData");
  }
  ~LoadedLibrary() { cudaLibraryUnload(library_); }
  LoadedLibrary(const LoadedLibrary&) = delete;
  LoadedLibrary& operator=(const LoadedLibrary&) = delete;

  const void* kernel(const char* name) const {
    cudaKernel_t kernel = nullptr;
    require(cudaLibraryGetKernel(&kernel, library_, name), "cudaLibraryGetKernel");
    return kernel;
  }

 private:
  cudaLibrary_t library_ = nullptr;
};

TEST_F(DeviceNvrtc, WhatItCompilesRuns) {
  if (const std::string reason = whyNoExecutor(); !reason.empty()) GTEST_SKIP() << reason;
  cudaDeviceProp device{};
  require(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  const Nvrtc::Code code = nvrtc.compile(kSource, "sm_" + std::to_string(device.major * 10 + device.minor));
  ASSERT_EQ(code.result, NVRTC_SUCCESS) << code.log;
  const LoadedLibrary library(code.cubin);

  Random random;
  const unsigned threads = random.between(1, 1024);
  const Array<int> keep(threads);
  unsigned kept = 0;
  for (unsigned i = 0; i < threads; ++i) kept += static_cast<unsigned>(keep[i] = random.chance(0.5) ? 1 : 0);
  const Array<unsigned> counter(1, 100), places(threads);
  int* keepData = keep.data();
  unsigned *counterData = counter.data(), *placesData = places.data();
  void* arguments[] = {&keepData, &counterData, &placesData};
  ASSERT_TRUE(run(1, {threads}, library.kernel("increment"), arguments, {}));
  EXPECT_EQ(counter[0], 100 + kept) << describeSeed();
  std::vector<bool> taken(kept);
  for (unsigned i = 0; i < threads; ++i) {
    if (keep[i] == 0) {
      ASSERT_TRUE(places.isPoison(i)) << describeSeed();
      continue;
    }
    ASSERT_LT(places[i] - 100, kept) << describeSeed();
    ASSERT_FALSE(taken[places[i] - 100]) << describeSeed();
    taken[places[i] - 100] = true;
  }
}

}  // namespace
}  // namespace slu::test
