// The kernels of literature/block_counts.cuh and literature/in_kernel.cuh on the CPU.
#include <numeric>

#include "literature/block_counts.cuh"
#include "literature/in_kernel.cuh"
#include "literature_case.h"

namespace bench::literature {
namespace {

using test::Case;
using test::Output;
using test::Survival;

struct BlockCounts {
  // The frame's scan is CUB's.
  template <typename Source>
  static void run(slu::test::Random&, const Case& input, Output<Source>& output) {
    const uint32_t blocks = std::max(1u, ceilDivide(input.count(), kCountedThreads));
    const simt::Launch launch{.grid = blocks, .block = kCountedThreads};
    std::vector<uint32_t> firsts(blocks, test::kPoison);
    const Source source = input.source<Source>();
    ASSERT_TRUE(simt::launch(launch, countBlocks<Source>, source, firsts.data()));
    std::exclusive_scan(firsts.begin(), firsts.end(), firsts.begin(), 0u);
    ASSERT_TRUE(simt::launch(launch, scatterBlocks<Source>, source, firsts.data(), output.elements(), output.total()));
  }
};

struct InKernel {
  template <typename Source>
  static void run(slu::test::Random& random, const Case& input, Output<Source>& output) {
    const uint32_t tiles = std::max(1u, ceilDivide(input.count(), kChainTile));
    simt::Launch launch{.grid = tiles, .block = kChainThreads};
    launch.workers = random.pick({1u, 2u, 5u});
    std::vector<uint32_t> chain(chainWords(tiles));
    ASSERT_TRUE(simt::launch(launch, compactInKernel<Source>, input.source<Source>(), chain.data(), output.elements(),
                             output.total()));
    EXPECT_EQ(chain.front(), tiles);
  }
};

template <typename Algorithm>
class ByBlocks : public testing::Test {
 protected:
  template <typename Source>
  void check(uint32_t count, uint32_t recordWords, Survival survival) {
    const Case input(random_, count, recordWords, survival);
    Output<Source> output(input);
    Algorithm::run(random_, input, output);
    EXPECT_TRUE(output.isRight(input, true)) << count << " records\n" << slu::test::describeSeed();
  }

  slu::test::Random random_;
};
using Algorithms = testing::Types<BlockCounts, InKernel>;
TYPED_TEST_SUITE(ByBlocks, Algorithms);

TYPED_TEST(ByBlocks, KeepWhatTheLoopKeeps) {
  for (const uint32_t count : test::counts(this->random_))
    for (const Survival survival : test::kSurvivals) this->template check<Words>(count, 1, survival);
}

TYPED_TEST(ByBlocks, TakeWideRecordsAndIndices) {
  const uint32_t count = this->random_.between(1, 10000);
  this->template check<Records<4>>(count, 4, Survival::Some);
  this->template check<Records<32>>(count, 32, Survival::Some);
  this->template check<Indices>(count, 3, Survival::Some);
}

}  // namespace
}  // namespace bench::literature
