// The kernel that builds pyramids, against a fold by brute force, with blocks in any order and one after the other.
#include <gtest/gtest.h>

#include <cstring>

#include "../pyramid/pyramid_cases.h"
#include "simt/cuda_on_cpu.h"
//
#include "kernels/device/entries/pyramid.cuh"

namespace slu::test {
namespace {

constexpr std::uint32_t kUnwritten = 0xa5a5a5a5;
constexpr std::size_t kAroundWords = 32;

// A build's memory.
struct PyramidMemory {
  PyramidMemory(const PyramidCase& each, Random& random)
      : rowWords(each.width + random.below(4)), layerWords(rowWords * each.height + random.below(7)) {
    depths.resize(std::size_t{layerWords} * each.layerCount);
    for (float& depth : depths) depth = anyDepth(random);
    expected = foldByForce(each, [&](auto layer, auto x, auto y) {
      return depths[std::size_t{layer} * layerWords + std::size_t{y} * rowWords + x];
    });
    words.assign(expected.size() + 2 * kAroundWords, kUnwritten);
  }

  cuda::PyramidArguments arguments(const PyramidCase& each, std::vector<std::uint32_t>& arrivals) {
    cuda::PyramidArguments filled{};
    filled.pyramid = reinterpret_cast<std::uintptr_t>(words.data() + kAroundWords);
    filled.depths = reinterpret_cast<std::uintptr_t>(depths.data());
    filled.arrivals = reinterpret_cast<std::uintptr_t>(arrivals.data());
    filled.layerWords = layerWords;
    filled.block.width = each.width;
    filled.block.height = each.height;
    filled.block.layerCount = each.layerCount;
    filled.block.frameNumber = each.frameNumber;
    filled.block.rowWords = rowWords;
    filled.direction = each.isReversed ? SLU_DEPTH_REVERSED : SLU_DEPTH_FORWARD;
    return filled;
  }

  const std::uint32_t rowWords, layerWords;
  std::vector<float> depths;
  std::vector<std::uint32_t> expected, words;
};

// One set of counters serves all builds, so each must leave it zero.
TEST(PyramidKernel, EverySize) {
  Random random;
  const testing::ScopedTrace seed(__FILE__, __LINE__, describeSeed());
  std::vector<std::uint32_t> arrivals(SLU_MAX_PYRAMID_LAYERS + 1);
  for (const unsigned workers : {3u, 1u}) {
    for (PyramidCase each : pyramidCases()) {
      SCOPED_TRACE(describe(each));
      each.frameNumber = random.word();
      PyramidMemory memory(each, random);
      const unsigned tiles = ((each.width + 63) / 64) * ((each.height + 63) / 64);
      const simt::Launch shape = {.grid = {tiles, each.layerCount}, .block = cuda::kThreads, .workers = workers};
      ASSERT_TRUE(simt::launch(shape, cuda::buildPyramid<0>, memory.arguments(each, arrivals)));
      std::vector<std::uint32_t> around(kAroundWords, kUnwritten);
      around.insert(around.end(), memory.expected.begin(), memory.expected.end());
      around.insert(around.end(), kAroundWords, kUnwritten);
      EXPECT_TRUE(memory.words == around);
      EXPECT_EQ(arrivals, std::vector<std::uint32_t>(SLU_MAX_PYRAMID_LAYERS + 1));
    }
  }
}

}  // namespace
}  // namespace slu::test
