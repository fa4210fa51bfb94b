// Barriers at which threads and copies arrive, and barriers of a part of the block: what they order, and what happens
// without them.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "expect_fault.h"
#include "simt/cuda_on_cpu.h"

namespace {

using simt::expectFault;
using Word = unsigned long long;

constexpr unsigned kUnits = 64, kRounds = 5;

// One warp copies, another adds up; one stage. missing: the call that is left out.
enum class Missing { none, wait, release, arrival, copy, giving };
void addUp(const uint4* from, unsigned* sum, Missing missing) {
  SLU_SHARED_ARRAY(uint4, stage, kUnits);
  SLU_SHARED_ARRAY(Word, full, 1);
  SLU_SHARED_ARRAY(Word, empty, 1);
  if (threadIdx.x == 0) {
    initBarrier(full + 0, 1);
    initBarrier(empty + 0, 32);
  }
  __syncthreads();
  for (unsigned round = 0; round < kRounds; ++round) {
    if (threadIdx.x == 63) {
      if (round > 0 && missing != Missing::release) awaitPhase(empty + 0, round - 1);
      if (missing != Missing::arrival) arriveExpecting(full + 0, sizeof(uint4) * kUnits);
      if (missing != Missing::copy) copyBulk(stage + 0, from + round * kUnits, sizeof(uint4) * kUnits, full + 0);
    }
    if (threadIdx.x >= 32) continue;
    if (missing != Missing::wait) awaitPhase(full + 0, round);
    for (unsigned i = threadIdx.x; i < kUnits; i += 32) atomicAdd(sum, static_cast<uint4>(stage[i]).w);
    if (missing != Missing::giving) arriveAt(empty + 0);
  }
}

class Pipe : public testing::Test {
 protected:
  void SetUp() override {
    for (unsigned i = 0; i < units.size(); ++i) units[i].w = i;
  }
  void expectMissed(Missing missing, std::initializer_list<const char*> parts) {
    expectFault(
        {.block = 64}, [&] { addUp(units.data(), &sum, missing); }, parts);
  }
  std::vector<uint4> units = std::vector<uint4>(kUnits * kRounds);
  unsigned sum = 0;
};

TEST_F(Pipe, BringsWhatIsCopied) {
  constexpr unsigned kCount = kUnits * kRounds;
  ASSERT_TRUE(simt::launch({.block = 64}, [&] { addUp(units.data(), &sum, Missing::none); }));
  EXPECT_EQ(sum, kCount * (kCount - 1) / 2);
}

TEST_F(Pipe, EachCallIsMissed) {
  expectMissed(Missing::wait, {"stage["});
  expectMissed(Missing::arrival, {"is stuck", "waiting at awaitPhase, pipe_test"});
  expectMissed(Missing::copy, {"is stuck", "waiting at awaitPhase, pipe_test"});
  expectMissed(Missing::giving, {"is stuck", "waiting at awaitPhase, pipe_test"});
}

// The copier is ahead of those who read, or meets them.
TEST_F(Pipe, AStageIsOverwrittenTooEarly) {
  for (unsigned i = 0; i < 20; ++i) {
    const testing::AssertionResult result = simt::launch({.block = 64, .seed = slu::test::testSeed() + i},
                                                         [&] { addUp(units.data(), &sum, Missing::release); });
    ASSERT_FALSE(result);
    const std::string fault = result.message();
    EXPECT_TRUE(fault.find("race: ") != fault.npos || fault.find("awaits phase") != fault.npos) << fault;
  }
}

TEST_F(Pipe, CopiesAreAligned) {
  const auto copy = [&](std::ptrdiff_t from, unsigned to, unsigned bytes) {
    SLU_SHARED_ARRAY(unsigned, stage, 64);
    SLU_SHARED_ARRAY(Word, full, 1);
    initBarrier(full + 0, 1);
    copyBulk(stage + to, &units[0].x + from, bytes, full + 0);
  };
  EXPECT_TRUE(simt::launch({.block = 1}, copy, 4, 8u, 32u));
  expectFault({.block = 1}, [&] { copy(1, 8, 32); }, {"from an address that 16 does not divide"});
  expectFault({.block = 1}, [&] { copy(4, 2, 32); }, {"to an address that 16 does not divide"});
  expectFault({.block = 1}, [&] { copy(4, 8, 24); }, {"a number of bytes that 16 does not divide"});
}

TEST_F(Pipe, AWordHasToBeMadeABarrier) {
  const auto arrive = [](bool isMade, unsigned times) {
    SLU_SHARED_ARRAY(Word, full, 1);
    if (isMade) initBarrier(full + 0, 2);
    if (!isMade) full[0] = 0;
    arriveExpecting(full + 0, 16);
    for (unsigned i = 1; i < times; ++i) arriveAt(full + 0);
  };
  EXPECT_TRUE(simt::launch({.block = 1}, arrive, true, 2u));
  expectFault({.block = 1}, [&] { arrive(false, 1); }, {"the word is no barrier"});
  expectFault({.block = 1}, [&] { arrive(true, 3); }, {"arrives at a barrier where all have arrived"});
}

TEST_F(Pipe, APhaseThatIsNotYetOrNoLonger) {
  const auto await = [](unsigned phase) {
    SLU_SHARED_ARRAY(Word, full, 1);
    initBarrier(full + 0, 1);
    for (unsigned i = 0; i < 2; ++i) arriveAt(full + 0);
    awaitPhase(full + 0, phase);
  };
  EXPECT_TRUE(simt::launch({.block = 1}, await, 1u));
  expectFault({.block = 1}, [&] { await(0); }, {"awaits phase 0 of a barrier that is in phase 2"});
  expectFault({.block = 1}, [&] { await(2); }, {"is stuck", "waiting at awaitPhase"});
  expectFault({.block = 1}, [&] { await(3); }, {"awaits phase 3 of a barrier that is in phase 2"});
}

}  // namespace
