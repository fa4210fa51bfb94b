// Every builtin against a naive computation, for random values and a random partition of a warp into masks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "simt/cuda_on_cpu.h"

namespace {

template <typename T>
using PerLane = std::array<T, 32>;

// A warp that is split into groups whose calls are separate.
template <typename T>
struct Warp {
  explicit Warp(slu::test::Random& random) : width(1 << random.below(6)), delta(random.below(32)) {
    PerLane<unsigned> group;
    const unsigned groups = random.between(1, 6);
    for (unsigned lane = 0; lane < 32; ++lane) {
      group[lane] = random.below(groups);
      values[lane] = static_cast<T>(random.below(1000000)) - static_cast<T>(500000);
      keys[lane] = static_cast<T>(random.below(3));
      sources[lane] = static_cast<int>(random.below(100)) - 50;
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned peer = 0; peer < 32; ++peer) masks[lane] |= unsigned{group[peer] == group[lane]} << peer;
    }
  }

  // What a shuffle returns that reads this lane.
  T valueFrom(unsigned lane, unsigned source) const {
    return (masks[lane] >> source & 1) != 0 ? values[source] : simt::fromDeposit<T>(0xabababababababab);
  }

  int width;
  unsigned delta;
  PerLane<unsigned> masks{};
  PerLane<T> values, keys;
  PerLane<int> sources;
};

template <typename T>
class WarpCalls : public testing::Test {};
using ShuffledTypes = testing::Types<int, unsigned, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(WarpCalls, ShuffledTypes);

TYPED_TEST(WarpCalls, Shuffles) {
  using T = TypeParam;
  slu::test::Random random;
  for (unsigned trial = 0; trial < 50; ++trial) {
    const Warp<T> warp(random);
    PerLane<std::array<T, 4>> results;
    ASSERT_TRUE(simt::launch({.block = 32}, [&] {
      const unsigned lane = threadIdx.x, mask = warp.masks[lane];
      const T value = warp.values[lane];
      results[lane] = {__shfl_sync(mask, value, warp.sources[lane], warp.width),
                       __shfl_up_sync(mask, value, warp.delta, warp.width),
                       __shfl_down_sync(mask, value, warp.delta, warp.width),
                       __shfl_xor_sync(mask, value, static_cast<int>(warp.delta), warp.width)};
    }));
    const unsigned width = static_cast<unsigned>(warp.width), delta = warp.delta;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned first = lane / width * width, across = lane ^ delta;
      const std::array<T, 4> expected = {
          warp.valueFrom(lane, first + static_cast<unsigned>(warp.sources[lane] + 64) % width),
          warp.valueFrom(lane, lane >= first + delta ? lane - delta : lane),
          warp.valueFrom(lane, lane + delta < first + width ? lane + delta : lane),
          warp.valueFrom(lane, across < first + width ? across : lane)};
      ASSERT_EQ(results[lane], expected) << "lane " << lane << ", " << slu::test::describeSeed();
    }
  }
}

TYPED_TEST(WarpCalls, VotesAndMatches) {
  using T = TypeParam;
  slu::test::Random random;
  for (unsigned trial = 0; trial < 50; ++trial) {
    const Warp<T> warp(random);
    PerLane<std::array<unsigned, 6>> results;
    ASSERT_TRUE(simt::launch({.block = 32}, [&] {
      const unsigned lane = threadIdx.x, mask = warp.masks[lane];
      const T key = warp.keys[lane];
      int same = -1;
      results[lane] = {__ballot_sync(mask, key != 0),
                       static_cast<unsigned>(__any_sync(mask, key == 1)),
                       static_cast<unsigned>(__all_sync(mask, key < 2)),
                       __match_any_sync(mask, key),
                       __match_all_sync(mask, key, &same),
                       static_cast<unsigned>(same)};
    }));
    for (unsigned lane = 0; lane < 32; ++lane) {
      std::array<unsigned, 6> expected = {0, 0, 1, 0, warp.masks[lane], 1};
      for (unsigned peer = 0; peer < 32; ++peer) {
        if ((warp.masks[lane] >> peer & 1) == 0) continue;
        expected[0] |= unsigned{warp.keys[peer] != 0} << peer;
        expected[1] |= unsigned{warp.keys[peer] == 1};
        expected[2] &= unsigned{warp.keys[peer] < 2};
        expected[3] |= unsigned{warp.keys[peer] == warp.keys[lane]} << peer;
        if (warp.keys[peer] != warp.keys[lane]) expected[4] = expected[5] = 0;
      }
      ASSERT_EQ(results[lane], expected) << "lane " << lane << ", " << slu::test::describeSeed();
    }
  }
}

TYPED_TEST(WarpCalls, Reductions) {
  using T = TypeParam;
  if constexpr (simt::Word<T>) {
    slu::test::Random random;
    for (unsigned trial = 0; trial < 50; ++trial) {
      const Warp<T> warp(random);
      PerLane<std::array<T, 6>> results;
      ASSERT_TRUE(simt::launch({.block = 32}, [&] {
        const unsigned lane = threadIdx.x, mask = warp.masks[lane];
        const T value = warp.values[lane];
        const auto bits = static_cast<unsigned>(value);
        results[lane] = {__reduce_add_sync(mask, value),
                         __reduce_min_sync(mask, value),
                         __reduce_max_sync(mask, value),
                         static_cast<T>(__reduce_and_sync(mask, bits)),
                         static_cast<T>(__reduce_or_sync(mask, bits)),
                         static_cast<T>(__reduce_xor_sync(mask, bits))};
      }));
      for (unsigned lane = 0; lane < 32; ++lane) {
        std::array<T, 6> expected = {0, std::numeric_limits<T>::max(), std::numeric_limits<T>::min(),
                                     static_cast<T>(-1)};
        for (unsigned peer = 0; peer < 32; ++peer) {
          if ((warp.masks[lane] >> peer & 1) == 0) continue;
          const T value = warp.values[peer];
          expected = {static_cast<T>(expected[0] + value),
                      std::min(expected[1], value),
                      std::max(expected[2], value),
                      expected[3] & value,
                      expected[4] | value,
                      expected[5] ^ value};
        }
        ASSERT_EQ(results[lane], expected) << "lane " << lane << ", " << slu::test::describeSeed();
      }
    }
  }
}

// Converged lanes are some of those that take the branch, the caller among them, and they can call together.
TEST(Builtins, ActiveMask) {
  slu::test::Random random;
  for (unsigned trial = 0; trial < 20; ++trial) {
    const unsigned taken = random.word();
    PerLane<unsigned> active{}, ballots{};
    ASSERT_TRUE(simt::launch({.block = 32}, [&] {
      if ((taken >> threadIdx.x & 1) == 0) return;
      active[threadIdx.x] = __activemask();
      ballots[threadIdx.x] = __ballot_sync(active[threadIdx.x], 1);
    }));
    EXPECT_EQ(active, ballots);
    for (unsigned lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(active[lane] & ~taken, 0u) << slu::test::describeSeed();
      EXPECT_EQ(active[lane] >> lane & 1, taken >> lane & 1) << slu::test::describeSeed();
    }
  }
}

TEST(Builtins, BlockVotes) {
  slu::test::Random random;
  for (unsigned trial = 0; trial < 20; ++trial) {
    const unsigned threads = random.between(1, 200);
    const unsigned divisor = random.between(1, threads + 1);
    const int expected = static_cast<int>((threads + divisor - 1) / divisor);
    std::vector<unsigned> right(threads);
    ASSERT_TRUE(simt::launch({.block = threads}, [&] {
      const int holds = threadIdx.x % divisor == 0;
      right[threadIdx.x] = __syncthreads_count(holds) == expected;
      right[threadIdx.x] += __syncthreads_or(holds) == 1;
      right[threadIdx.x] += __syncthreads_or(0) == 0;
      right[threadIdx.x] += __syncthreads_and(holds) == (divisor == 1 || threads == 1);
    }));
    EXPECT_EQ(right, std::vector<unsigned>(threads, 4));
  }
}

TEST(Builtins, Bits) {
  slu::test::Random random;
  for (unsigned trial = 0; trial < 1000; ++trial) {
    const unsigned a = random.chance(0.1) ? 0 : random.word() >> random.below(32), b = random.word();
    const auto wide = static_cast<unsigned long long>(random.next()) >> random.below(64);
    int ones = 0, leading = 32, first = 0;
    unsigned reversed = 0, permuted = 0;
    for (int i = 31; i >= 0; --i) {
      if ((a >> i & 1) == 0) continue;
      ++ones;
      if (leading == 32) leading = 31 - i;
      first = i + 1;
      reversed |= 1u << (31 - i);
    }
    EXPECT_EQ(__popc(a), ones);
    EXPECT_EQ(__clz(static_cast<int>(a)), leading);
    EXPECT_EQ(__ffs(static_cast<int>(a)), first);
    EXPECT_EQ(__brev(a), reversed);
    EXPECT_EQ(__brevll(__brevll(wide)), wide);
    EXPECT_EQ(__brevll(a), static_cast<unsigned long long>(reversed) << 32);
    EXPECT_EQ(__popcll(wide), __popc(static_cast<unsigned>(wide)) + __popc(static_cast<unsigned>(wide >> 32)));
    EXPECT_EQ(__clzll(static_cast<long long>(a)), 32 + leading);
    EXPECT_EQ(__ffsll(static_cast<long long>(a)), first);
    EXPECT_EQ(__umulhi(a, b), static_cast<unsigned>(static_cast<unsigned long long>(a) * b >> 32));
    const unsigned char bytes[8] = {static_cast<unsigned char>(a),       static_cast<unsigned char>(a >> 8),
                                    static_cast<unsigned char>(a >> 16), static_cast<unsigned char>(a >> 24),
                                    static_cast<unsigned char>(b),       static_cast<unsigned char>(b >> 8),
                                    static_cast<unsigned char>(b >> 16), static_cast<unsigned char>(b >> 24)};
    const unsigned selector = random.word() & 0x7777;
    for (int i = 3; i >= 0; --i) permuted = permuted << 8 | bytes[selector >> (4 * i) & 7];
    EXPECT_EQ(__byte_perm(a, b, selector), permuted);
  }
  EXPECT_EQ(__float_as_uint(1.0f), 0x3f800000u);
  EXPECT_EQ(__uint_as_float(0x3f800000u), 1.0f);
  EXPECT_EQ(__float_as_int(-0.0f), std::numeric_limits<int>::min());
  EXPECT_EQ(__int_as_float(0x40000000), 2.0f);
  EXPECT_EQ(__longlong_as_double(__double_as_longlong(0.1)), 0.1);
  EXPECT_EQ(__fmul_rn(__fadd_rn(1, 2), __fsub_rn(3, 1)), 6.0f);
  EXPECT_EQ(min(3u, 5u), 3u);
  EXPECT_EQ(max(-3, 5), 5);
}

TEST(Builtins, LoadsAndStores) {
  uint4 vector{};
  __stcs(&vector, make_uint4(1, 2, 3, 4));
  EXPECT_EQ(__ldg(&vector).w, 4u);
  double number = 0;
  __stcg(&number, 2.5);
  EXPECT_EQ(__ldcg(&number), 2.5);
  unsigned long long word = 0;
  __stwt(&word, 1ull << 40);
  EXPECT_EQ(__ldcs(&word) + __ldca(&word), 2ull << 40);
}

template <typename T>
void expectAtomics() {
  T word = 5;
  EXPECT_EQ(atomicMin(&word, 3), T{5});
  EXPECT_EQ(atomicMax(&word, 9), T{3});
  EXPECT_EQ(atomicExch(&word, 12), T{9});
  EXPECT_EQ(atomicAnd(&word, 6), T{12});
  EXPECT_EQ(atomicOr(&word, 3), T{4});
  EXPECT_EQ(atomicXor(&word, 2), T{7});
  EXPECT_EQ(atomicCAS(&word, 4, 1), T{5});
  EXPECT_EQ(atomicCAS(&word, 5, 1), T{5});
  EXPECT_EQ(atomicAdd(&word, std::numeric_limits<T>::max()), T{1});
  EXPECT_EQ(word, std::is_signed_v<T> ? std::numeric_limits<T>::min() : T{0});
}

TEST(Builtins, Atomics) {
  expectAtomics<int>();
  expectAtomics<unsigned>();
  expectAtomics<unsigned long long>();
  float real = 1;
  EXPECT_EQ(atomicAdd(&real, 0.5f), 1.0f);
  EXPECT_EQ(atomicExch(&real, 4.0f), 1.5f);
  double wide = 1;
  EXPECT_EQ(atomicAdd_block(&wide, 0.25), 1.0);
  EXPECT_EQ(wide, 1.25);
  unsigned ticket = 2;
  EXPECT_EQ(atomicInc(&ticket, 3), 2u);
  EXPECT_EQ(atomicInc(&ticket, 3), 3u);
  EXPECT_EQ(atomicDec(&ticket, 3), 0u);
  EXPECT_EQ(atomicSub(&ticket, 4), 3u);
  EXPECT_EQ(ticket, 0xffffffffu);
}

}  // namespace
