// Mistakes that are planted here must be caught, on every schedule.
#include <gtest/gtest.h>

#include <vector>

#include "expect_fault.h"
#include "simt/cuda_on_cpu.h"

namespace {

using simt::expectFault;

TEST(Faults, MissingBarrierBeforeARead) {
  const auto kernel = [] {
    SLU_SHARED_ARRAY(unsigned, tile, 64);
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    tile[threadIdx.x] = tile[threadIdx.x] + 1;
    const unsigned across = tile[63 - threadIdx.x];
    (void)across;
  };
  expectFault({.grid = 2, .block = 64}, kernel, {"race: ", "tile[", "since __syncthreads, faults_test.cpp:"});
}

TEST(Faults, MissingBarrierBeforeTheNextWrite) {
  const auto kernel = [] {
    SLU_SHARED(unsigned, base);
    for (unsigned i = 0; i < 3; ++i) {
      if (threadIdx.x == 0) base = i;
      __syncthreads();
      const unsigned copy = base;
      (void)copy;
    }
  };
  expectFault({.block = 64}, kernel, {"race: ", "base[0]"});
}

TEST(Faults, MissingWarpBarrier) {
  const auto kernel = [](bool planted) {
    SLU_SHARED_ARRAY(unsigned, tile, 32);
    tile[threadIdx.x] = 1;
    __ballot_sync(0xffffffffu, 1);  // orders nothing
    if (!planted) __syncwarp();
    const unsigned across = tile[31 - threadIdx.x];
    (void)across;
  };
  expectFault({.block = 32}, [kernel] { kernel(true); }, {"race: reads tile["});
  EXPECT_TRUE(simt::launch({.block = 32}, kernel, false));
}

TEST(Faults, PlainWriteBesideAtomics) {
  const auto kernel = [] {
    SLU_SHARED(unsigned, count);
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1u);
    if (threadIdx.x == 7) count = 0;
  };
  expectFault({.block = 64}, kernel, {"race: ", "count[0]"});
}

TEST(Faults, SharedMemoryOutOfBounds) {
  const auto kernel = [] {
    SLU_SHARED_ARRAY(unsigned, tile, 64);
    tile[threadIdx.x + 1] = 0;
  };
  expectFault({.block = 64}, kernel, {"out of bounds: writes tile[64] of 64"});
}

TEST(Faults, SharedMemoryNeverWritten) {
  const auto kernel = [] {
    SLU_SHARED_ARRAY(unsigned, tile, 64);
    if (blockIdx.x == 0) tile[threadIdx.x] = 1;
    if (blockIdx.x == 1) ++tile[threadIdx.x];
  };
  expectFault({.grid = 2, .block = 64, .workers = 1}, kernel, {"uninitialised: reads tile["});
}

// Of which each word is two halves.
TEST(Faults, DynamicMemoryUnderAnotherName) {
  const auto kernel = [](bool planted) {
    SLU_SHARED_DYNAMIC(unsigned, words);
    SLU_SHARED_DYNAMIC(unsigned short, halves);
    words[threadIdx.x] = 1;
    if (!planted) __syncthreads();
    if (halves[126 - 2 * threadIdx.x] != 1) __trap();
  };
  const simt::Launch launch{.block = 64, .sharedBytes = 64 * sizeof(unsigned)};
  expectFault(launch, [kernel] { kernel(true); }, {": reads halves["});
  EXPECT_TRUE(simt::launch(launch, kernel, false));
}

TEST(Faults, BallotInDivergentCode) {
  const auto kernel = [] {
    if (threadIdx.x % 32 < 20) __ballot_sync(0xffffffffu, 1);
    __syncthreads();
  };
  expectFault({.block = 64}, kernel,
              {"is stuck in warp", "waiting at __ballot_sync, mask 0xffffffff, faults_test",
               "waiting at __syncthreads, faults_test"});
}

TEST(Faults, BallotsOnBothSidesOfABranch) {
  const auto kernel = [] {
    if (threadIdx.x < 16) {
      __ballot_sync(0xffffffffu, 1);
    } else {
      __ballot_sync(0xffffffffu, 0);
    }
  };
  expectFault({.block = 32}, kernel, {"threads 0-15 waiting", "threads 16-31 waiting"});
}

TEST(Faults, MasksThatDiffer) {
  const auto kernel = [] { __shfl_sync(threadIdx.x < 4 ? 0xffffffffu : 0xfffffff0u, threadIdx.x, 0); };
  expectFault({.block = 32}, kernel, {"threads 0-3 waiting at __shfl_sync, mask 0xffffffff"});
}

TEST(Faults, MaskWithoutTheCaller) {
  const auto kernel = [] { __any_sync(0xfffffff0u, 1); };
  expectFault({.block = 32}, kernel, {"the mask lacks the caller's own lane"});
}

TEST(Faults, BallotAfterALaneHasExited) {
  const auto kernel = [] {
    if (threadIdx.x == 5) return;
    __ballot_sync(0xffffffffu, 1);
  };
  expectFault({.block = 32}, kernel, {"threads 5 exited", "threads 0-4,6-31 waiting"});
  EXPECT_TRUE(simt::launch({.block = 32, .exitedThreadsArrive = true}, kernel));
}

TEST(Faults, BarrierInDivergentCode) {
  const auto kernel = [] {
    if (threadIdx.x < 32) {
      __syncthreads();
    } else {
      __syncthreads();
    }
  };
  expectFault({.block = 64}, kernel, {"threads 0-31 waiting", "threads 32-63 waiting"});
}

TEST(Faults, BarrierAfterAThreadHasExited) {
  const auto kernel = [] {
    if (threadIdx.x >= 50) return;
    __syncthreads();
  };
  expectFault({.grid = 3, .block = 64}, kernel, {"threads 50-63 exited"});
  EXPECT_TRUE(simt::launch({.block = 64, .exitedThreadsArrive = true}, kernel));
}

TEST(Faults, SpinThatNeverEnds) {
  std::vector<unsigned> flags(2);
  const auto kernel = [&flags] {
    while (__ldcg(&flags[1 - blockIdx.x]) == 0) __nanosleep(20);
    flags[blockIdx.x] = 1;
  };
  expectFault({.grid = 2, .block = 1, .workers = 2, .patienceSeconds = 0.05}, kernel,
              {"spins", "threads 0 running since its start"});
}

TEST(Faults, TrapAndExceptions) {
  expectFault({.grid = 4, .block = 64},
              [] {
                if (threadIdx.x == 63) __trap();
                __syncthreads();
              },
              {"__trap"});
  expectFault({.block = 64}, [] { std::vector<int>().at(3); }, {"a thread threw: "});
}

TEST(Faults, BlockOfNoPossibleSize) {
  EXPECT_FALSE(simt::launch({.block = 1025}, [] {}));
  EXPECT_FALSE(simt::launch({.block = dim3(0)}, [] {}));
}

}  // namespace
