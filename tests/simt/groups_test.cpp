// The cooperative groups stand-in.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

namespace cg = cooperative_groups;

namespace {

template <unsigned Size>
__global__ void useTiles(unsigned* failures) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  const unsigned rank = block.thread_rank();
  unsigned wrong = tile.size() != Size || tile.thread_rank() != rank % Size || tile.meta_group_rank() != rank / Size;
  const unsigned first = rank / Size * Size;
  const unsigned all = 0xffffffffu >> (32 - Size);
  wrong += tile.shfl(rank, Size - 1) != first + Size - 1;
  wrong += tile.shfl_up(rank, 1) != (rank == first ? rank : rank - 1);
  wrong += tile.shfl_down(rank, 1) != (rank == first + Size - 1 ? rank : rank + 1);
  wrong += tile.shfl_xor(rank, Size / 2) != (rank ^ (Size / 2));
  wrong += tile.ballot(rank % 2 == 0) != (all & 0x55555555u);
  wrong += tile.any(rank == first) != 1;
  wrong += tile.all(rank == first) != 0;
  wrong += tile.match_any(rank % 2) != (all & (rank % 2 == 0 ? 0x55555555u : 0xaaaaaaaau));
  tile.sync();
  block.sync();
  failures[rank] = wrong;
}

TEST(Groups, Tiles) {
  std::vector<unsigned> failures(96, 1);
  ASSERT_TRUE(simt::launch({.block = dim3(16, 6)}, useTiles<32>, failures.data()));
  EXPECT_EQ(failures, std::vector<unsigned>(96));
  ASSERT_TRUE(simt::launch({.block = 96}, useTiles<8>, failures.data()));
  EXPECT_EQ(failures, std::vector<unsigned>(96));
  ASSERT_TRUE(simt::launch({.block = 96}, useTiles<2>, failures.data()));
  EXPECT_EQ(failures, std::vector<unsigned>(96));
}

// One atomic for all lanes that happen to be here.
__device__ inline unsigned aggregatedIncrement(unsigned* counter) {
  const auto group = cg::coalesced_threads();
  unsigned base = 0;
  if (group.thread_rank() == 0) base = atomicAdd(counter, group.size());
  return group.shfl(base, 0) + group.thread_rank();
}

__global__ void compactOdd(const unsigned* input, unsigned count, unsigned* output, unsigned* counter) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count || input[i] % 2 == 0) return;
  output[aggregatedIncrement(counter)] = input[i];
}

TEST(Groups, CoalescedThreadsShareAnAtomic) {
  slu::test::Random random;
  std::vector<unsigned> input(1000), output(1000), expected;
  for (unsigned& value : input) value = random.word();
  unsigned counter = 0;
  ASSERT_TRUE(simt::launch({.grid = 8, .block = 128}, compactOdd, input.data(), 1000u, output.data(), &counter));
  std::ranges::copy_if(input, std::back_inserter(expected), [](unsigned value) { return value % 2 != 0; });
  ASSERT_EQ(counter, expected.size()) << slu::test::describeSeed();
  output.resize(counter);
  std::ranges::sort(output);
  std::ranges::sort(expected);
  EXPECT_EQ(output, expected) << slu::test::describeSeed();
}

// The lane that spins waits for those that converge.
__global__ void publishBesideSpin(unsigned* counter) {
  if (threadIdx.x == 31) {
    while (__ldcg(counter) < 31) __nanosleep(20);
  } else {
    aggregatedIncrement(counter);
  }
}

TEST(Groups, ConvergenceDoesNotWaitForALaneThatSpins) {
  unsigned counter = 0;
  EXPECT_TRUE(simt::launch({.block = 32}, publishBesideSpin, &counter));
  EXPECT_EQ(counter, 31u);
}

}  // namespace
