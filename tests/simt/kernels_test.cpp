// Kernels as the library writes them: reductions, aggregated increments, a single-pass scan.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "simt/cuda_on_cpu.h"

namespace {

using Wide = unsigned long long;

template <unsigned Threads>
__global__ void __launch_bounds__(Threads) reduceTree(const unsigned* __restrict__ input, unsigned* sums) {
  SLU_SHARED_ARRAY(unsigned, partial, Threads);
  partial[threadIdx.x] = __ldg(&input[blockIdx.x * Threads + threadIdx.x]);
  for (unsigned half = Threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

TEST(Kernels, ReduceThroughSharedMemory) {
  slu::test::Random random;
  std::vector<unsigned> input(20 * 256), sums(20), expected(20);
  for (unsigned& value : input) value = random.word();
  for (unsigned i = 0; i < input.size(); ++i) expected[i / 256] += input[i];
  ASSERT_TRUE(simt::launch({.grid = 20, .block = 256}, reduceTree<256>, input.data(), sums.data()));
  EXPECT_EQ(sums, expected);
}

// The sum over the block, for every thread.
__device__ inline unsigned blockSum(unsigned value, SLU_SHARED_POINTER(unsigned) warpSums) {
  const unsigned lane = threadIdx.x % 32, warpCount = blockDim.x / 32;
  for (int i = 16; i > 0; i /= 2) value += __shfl_xor_sync(0xffffffffu, value, i);
  if (lane == 0) warpSums[threadIdx.x / 32] = value;
  __syncthreads();
  return __reduce_add_sync(0xffffffffu, lane < warpCount ? warpSums[lane] : 0u);
}

__global__ void reduceShuffles(const unsigned* input, unsigned* sums) {
  SLU_SHARED_DYNAMIC(unsigned, warpSums);
  const unsigned sum = blockSum(input[blockIdx.x * blockDim.x + threadIdx.x], warpSums);
  if (threadIdx.x == blockDim.x - 1) sums[blockIdx.x] = sum;
}

TEST(Kernels, ReduceThroughShuffles) {
  slu::test::Random random;
  std::vector<unsigned> input(7 * 96), sums(7), expected(7);
  for (unsigned& value : input) value = random.word();
  for (unsigned i = 0; i < input.size(); ++i) expected[i / 96] += input[i];
  ASSERT_TRUE(simt::launch({.grid = 7, .block = 96, .sharedBytes = 12}, reduceShuffles, input.data(), sums.data()));
  EXPECT_EQ(sums, expected);
}

// Counters that differ between lanes: one atomic per counter and warp.
__global__ void countKeys(const unsigned* keys, unsigned* ranks, unsigned* counters) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned peers = __match_any_sync(0xffffffffu, keys[i]);
  const int leader = __ffs(static_cast<int>(peers)) - 1;
  unsigned base = 0;
  if (static_cast<int>(lane) == leader) base = atomicAdd(&counters[keys[i]], static_cast<unsigned>(__popc(peers)));
  ranks[i] = __shfl_sync(peers, base, leader) + static_cast<unsigned>(__popc(peers & ((1u << lane) - 1)));
}

TEST(Kernels, AggregatedIncrementOfManyCounters) {
  slu::test::Random random;
  std::vector<unsigned> keys(16 * 64), ranks(keys.size()), counters(5);
  for (unsigned& key : keys) key = random.below(5);
  ASSERT_TRUE(simt::launch({.grid = 16, .block = 64}, countKeys, keys.data(), ranks.data(), counters.data()));
  std::vector<std::vector<unsigned>> seen(5);
  for (unsigned i = 0; i < keys.size(); ++i) seen[keys[i]].push_back(ranks[i]);
  for (unsigned key = 0; key < 5; ++key) {
    std::ranges::sort(seen[key]);
    std::vector<unsigned> expected(counters[key]);
    std::iota(expected.begin(), expected.end(), 0u);
    EXPECT_EQ(seen[key], expected) << slu::test::describeSeed();
  }
}

// Shared counters, atomics on shared memory, and the order that __syncwarp gives within a warp.
__global__ void histogram(const unsigned* input, unsigned* bins) {
  SLU_SHARED_ARRAY(unsigned, counts, 32);
  SLU_SHARED(unsigned, total);
  if (threadIdx.x < 32) {
    counts[threadIdx.x] = 0;
    __syncwarp();
    if (threadIdx.x == 31) total = counts[0];
  }
  __syncthreads();
  atomicAdd(&counts[input[blockIdx.x * blockDim.x + threadIdx.x] % 32], 1u);
  atomicAdd(&total, 1u);
  __syncthreads();
  if (threadIdx.x < 32) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
  if (threadIdx.x == 0) atomicAdd(&bins[32], total);
}

TEST(Kernels, HistogramInSharedMemory) {
  slu::test::Random random;
  std::vector<unsigned> input(9 * 128), bins(33), expected(33);
  for (unsigned& value : input) ++expected[(value = random.word()) % 32];
  expected[32] = static_cast<unsigned>(input.size());
  ASSERT_TRUE(simt::launch({.grid = 9, .block = 128}, histogram, input.data(), bins.data()));
  EXPECT_EQ(bins, expected);
}

constexpr Wide kAggregate = 1ull << 32, kPrefix = 2ull << 32;

// Decoupled look-back (Merrill and Garland 2016) with one descriptor per tile: status above, value below.
__device__ inline unsigned lookBack(Wide* descriptors, unsigned tile, unsigned aggregate) {
  if (tile > 0) atomicExch(&descriptors[tile], kAggregate | aggregate);
  unsigned before = 0;
  for (unsigned i = tile; i > 0; --i) {
    Wide descriptor;
    while ((descriptor = *static_cast<volatile Wide*>(&descriptors[i - 1])) < kAggregate) __nanosleep(32);
    before += static_cast<unsigned>(descriptor);
    if (descriptor >= kPrefix) break;
  }
  atomicExch(&descriptors[tile], kPrefix | (before + aggregate));
  return before;
}

__global__ void scan(const unsigned* input, unsigned* output, unsigned count, Wide* descriptors, unsigned* ticket) {
  SLU_SHARED_ARRAY(unsigned, sums, 256);
  SLU_SHARED(unsigned, tile);
  SLU_SHARED(unsigned, base);
  if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned i = tile * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < count ? input[i] : 0;
  for (unsigned step = 1; step < blockDim.x; step *= 2) {
    __syncthreads();
    const unsigned add = threadIdx.x >= step ? sums[threadIdx.x - step] : 0u;
    __syncthreads();
    sums[threadIdx.x] += add;
  }
  __syncthreads();
  if (threadIdx.x == 0) base = lookBack(descriptors, tile, sums[blockDim.x - 1]);
  __syncthreads();
  if (i < count) output[i] = base + sums[threadIdx.x];
}

TEST(Kernels, ScanByLookBack) {
  slu::test::Random random;
  for (const unsigned workers : {1u, 2u, 7u}) {
    const unsigned count = random.between(20 * 256, 40 * 256), tiles = (count + 255) / 256;
    std::vector<unsigned> input(count), output(count), expected(count);
    for (unsigned& value : input) value = random.below(1000);
    std::inclusive_scan(input.begin(), input.end(), expected.begin());
    std::vector<Wide> descriptors(tiles);
    unsigned ticket = 0;
    ASSERT_TRUE(simt::launch({.grid = tiles, .block = 256, .workers = workers}, scan, input.data(), output.data(),
                             count, descriptors.data(), &ticket));
    EXPECT_EQ(output, expected) << slu::test::describeSeed();
  }
}

// Later tiles finish only after earlier ones, so a block has to run while another waits for it.
__global__ void waitForNext(unsigned* flags) {
  if (blockIdx.x + 1 < gridDim.x) {
    while (__ldcg(&flags[blockIdx.x + 1]) == 0) __nanosleep(100);
  }
  atomicExch(&flags[blockIdx.x], 1u);
}

TEST(Kernels, BlocksRunAtOnce) {
  std::vector<unsigned> flags(3);
  ASSERT_TRUE(simt::launch({.grid = 3, .block = 1, .workers = 3}, waitForNext, flags.data()));
  EXPECT_EQ(flags, std::vector<unsigned>(3, 1));
}

__global__ void place(unsigned* seen) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  atomicAdd(&seen[block * blockDim.x * blockDim.y * blockDim.z + thread], 1u);
}

TEST(Kernels, EveryThreadOfAGridRunsOnce) {
  std::vector<unsigned> seen(2 * 3 * 4 * 5 * 3 * 2);
  ASSERT_TRUE(simt::launch({.grid = dim3(2, 3, 4), .block = dim3(5, 3, 2)}, place, seen.data()));
  EXPECT_EQ(seen, std::vector<unsigned>(seen.size(), 1));
}

}  // namespace
