// The kernels of literature/copy_loops.cuh on the CPU.
#include "literature/copy_loops.cuh"
#include "literature_case.h"

namespace bench::literature {
namespace {

template <uint32_t width>
void expectCopies(slu::test::Random& random, uint32_t chunkCount) {
  std::vector<Chunk<width>> from(chunkCount);
  for (Chunk<width>& chunk : from)
    for (uint32_t& word : chunk.words) word = random.word();
  Chunk<width> poison;
  std::fill_n(poison.words, width, 0xa5a5a5a5u);

  const auto expectCopy = [&](auto kernel, uint32_t blocks) {
    std::vector<Chunk<width>> to(chunkCount + 64, poison);
    ASSERT_TRUE(simt::launch({.grid = blocks, .block = kCopyThreads}, kernel, from.data(), to.data(), chunkCount));
    for (uint32_t i = 0; i < to.size(); ++i)
      for (uint32_t k = 0; k < width; ++k)
        ASSERT_EQ(to[i].words[k], i < chunkCount ? from[i].words[k] : poison.words[k])
            << "chunk " << i << " of " << chunkCount << "\n"
            << slu::test::describeSeed();
  };
  expectCopy(copyWithoutLoop<width>, std::max(1u, ceilDivide(chunkCount, kCopyThreads)));
  expectCopy(copyByGridStride<width>, random.between(1, 9));
  expectCopy(copyByWarpStride<width>, random.between(1, 9));
}

TEST(CopyLoops, CopyEveryChunk) {
  slu::test::Random random;
  for (const uint32_t count : {0u, 1u, 31u, 32u, 33u, 255u, 256u, 257u, 2048u, 10007u, 65536u}) {
    expectCopies<1>(random, count);
    expectCopies<2>(random, count);
    expectCopies<4>(random, count);
  }
}

}  // namespace
}  // namespace bench::literature
