// Pyramids of the CUDA route, on a GPU. tests/simt runs the same kernel on the CPU.
#include <gtest/gtest.h>

#include <cstring>

#include "cuda_memory.h"
#include "machines.h"
#include "pyramid_cases.h"

namespace slu::test {
namespace {

class CudaPyramid : public testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    machine = findMachine(MachineKind::cuda, reason);
    if (machine == nullptr) GTEST_SKIP() << reason;
    check(cudaSetDevice(0), "cudaSetDevice");
  }
  Machine* machine = nullptr;
  Random random;
  testing::ScopedTrace seed{__FILE__, __LINE__, describeSeed()};
};

// Each size is built twice, so that the second build finds the counters as the first one left them.
TEST_F(CudaPyramid, EverySize) {
  constexpr std::uint64_t kAround = 256;
  const SluContext context = machine->context();
  for (PyramidCase each : pyramidCases()) {
    SCOPED_TRACE(describe(each));
    each.frameNumber = random.word();
    const std::uint32_t rowWords = each.width + random.below(5);
    const std::uint32_t layerWords = rowWords * each.height + random.below(9);
    std::vector<float> depths(std::size_t{layerWords} * each.layerCount);
    for (float& depth : depths) depth = anyDepth(random);
    const std::vector<std::uint32_t> expected = foldByForce(each, [&](auto layer, auto x, auto y) {
      return depths[std::size_t{layer} * layerWords + std::size_t{y} * rowWords + x];
    });
    const CudaMemory from(context, depths.size() * 4), to(context, expected.size() * 4 + 2 * kAround);
    check(cudaMemcpy(from.pointer, depths.data(), depths.size() * 4, cudaMemcpyDefault), "cudaMemcpy");

    auto info = SLU_INIT(PYRAMID_CREATE_INFO, SluPyramidCreateInfo);
    info.route = SLU_ROUTE_CUDA;
    info.width = each.width;
    info.height = each.height;
    info.layerCount = each.layerCount;
    info.direction = each.isReversed ? SLU_DEPTH_REVERSED : SLU_DEPTH_FORWARD;
    Pyramid pyramid;
    ASSERT_EQ(sluCreatePyramid(context, &info, pyramid.put()), SLU_SUCCESS) << sluGetErrorMessage(context);
    auto build = SLU_INIT(PYRAMID_BUILD_INFO, SluPyramidBuildInfo);
    build.pyramid = {to.registered, kAround};
    build.depth = {from.registered, 0};
    build.rowPitch = rowWords * 4;
    build.layerPitch = layerWords * 4;
    build.frameNumber = each.frameNumber;
    for (int round = 0; round < 2; ++round) {
      check(cudaMemset(to.pointer, 0xa5, expected.size() * 4 + 2 * kAround), "cudaMemset");
      ASSERT_EQ(sluEnqueueBuildPyramid(pyramid, nullptr, &build), SLU_SUCCESS) << sluGetErrorMessage(context);
      std::vector<std::uint8_t> bytes(expected.size() * 4 + 2 * kAround);
      check(cudaMemcpy(bytes.data(), to.pointer, bytes.size(), cudaMemcpyDefault), "cudaMemcpy");
      std::vector<std::uint8_t> whole(bytes.size(), 0xa5);
      std::memcpy(whole.data() + kAround, expected.data(), expected.size() * 4);
      EXPECT_TRUE(bytes == whole);
    }
  }
}

}  // namespace
}  // namespace slu::test
